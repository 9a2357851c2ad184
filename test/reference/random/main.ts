import { appendFileSync, writeFileSync } from 'node:fs';
import { missingKubeApiserver } from '../../support/kube-apiserver.ts';
import { Tally, writeReport } from '../reports/tally.ts';
import { compareScene, type Difference } from './compare.ts';
import { report } from './report.ts';
import { SceneQueue } from './scene-queue.ts';
import { ServerPair } from './server-pair.ts';
import { shrunk } from './shrink.ts';
import { sources } from './sources.ts';

/**
 * Sends the same random requests to kube-apiserver itself and to this server, and reports each difference that a client can
 * see. SOURCE, a name in `sources` (default objects, which are those of built-in kinds); ROUNDS (default 1) of its scenes, or MINUTES;
 * SEED of the first round (default random); KIND, a pattern of titles as `apps/v1 Deployment`; SCENES=1 shows what was sent
 * before; SHRINK=1 or --shrink makes each difference small; RESULTS, a file for the differences, an answer a line;
 * REPORT, a file for the counts by feature.
 */
const { SOURCE = '', ROUNDS = '', MINUTES = '', SEED = '', KIND = '', SCENES = '', SHRINK = '', RESULTS: file = '' } = process.env;
const shrinks = SHRINK !== '' || process.argv.includes('--shrink');
const rounds = Number(ROUNDS || (MINUTES === '' ? 1 : Number.POSITIVE_INFINITY));
const seed = SEED === '' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);

if (missingKubeApiserver !== undefined) console.log(`skipped: ${missingKubeApiserver}`);
else {
  const name = SOURCE || 'objects';
  if (!(name in sources)) throw new Error(`no source ${name}; there are ${Object.keys(sources).join(', ')}`);
  const source = await sources[name]();
  // the children end with the process
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const pair = await ServerPair.start(source.options);
  const end = MINUTES === '' ? Number.POSITIVE_INFINITY : Date.now() + Number(MINUTES) * 60_000;
  if (file !== '') writeFileSync(file, '');
  const found: (readonly Difference[])[] = [];
  const known = new Map<string, number>();
  const tally = new Tally();
  let requests = 0;
  console.log(`SEED=${seed}: ${MINUTES === '' ? `${rounds} rounds` : `${MINUTES} minutes`} of ${name}`);

  try {
    for (const request of source.given ?? []) {
      for (const side of pair.sides) {
        const { status, body } = await side.send(request);
        if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${body?.message}`);
        side.created.length = 0;
      }
    }
    for (let round = 0; round < rounds && Date.now() < end; round++) {
      const scenes = new SceneQueue(source.scenes(seed + round, new RegExp(KIND)));
      const lane = async (): Promise<void> => {
        for (let scene = scenes.next(); scene !== undefined && Date.now() < end; scene = scenes.next(scene)) {
          const outcome = await compareScene(pair, scene, tally);
          requests += outcome.requests;
          for (const [cause, count] of outcome.known) known.set(cause, (known.get(cause) ?? 0) + count);
          for (const differences of [outcome.differences, ...(outcome.others ?? [])]) {
            if (differences.length === 0) continue;
            const small = shrinks ? await shrunk(pair, differences) : differences;
            found.push(small);
            if (file !== '') appendFileSync(file, `${JSON.stringify(summaryOf(small))}\n`);
          }
        }
      };
      await Promise.all(Array.from({ length: source.lanes ?? 1 }, lane));
    }
  } finally {
    await Promise.all([pair.stop(), source.stop?.()]);
  }
  report(found, SCENES !== '' || shrinks);
  for (const [cause, count] of known) console.log(`${String(count).padStart(6)}  ${cause}`);
  console.log(`\n${requests} requests, ${found.length} answered differently`);
  if (MINUTES !== '' && found.length > 0) process.exitCode = 1;
  await writeReport({
    source: `random requests about ${name}`,
    command: `make test-reference ${MINUTES === '' ? `ROUNDS=${rounds}` : `MINUTES=${MINUTES}`} SOURCE=${name} SEED=${seed}`,
    version: pair.version,
    features: tally.features(),
  });
}

/** The differences of two answers for a file: without the answers, which may be lists of thousands of objects. */
function summaryOf(differences: readonly Difference[]): object {
  const [{ scene, at, answers }] = differences;
  return {
    title: scene.title,
    seed: scene.seed,
    requests: scene.requests.slice(0, at + 1),
    answers: answers.map(({ status, body }) => ({ status, message: body?.message })),
    differences: differences.slice(0, 20).map(({ path, reference, own }) => ({ path, reference, own })),
  };
}
