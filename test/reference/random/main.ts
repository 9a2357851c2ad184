import { writeFileSync } from 'node:fs';
import { readSubjects } from '../../properties/subjects.ts';
import { knownWords } from '../../properties/words.ts';
import { missingKubeApiserver } from '../../support/kube-apiserver.ts';
import { Tally, writeReport } from '../reports/tally.ts';
import { compareScene, type Difference } from './compare.ts';
import { report } from './report.ts';
import { Scenes } from './scenes.ts';
import { ServerPair } from './server-pair.ts';
import { shrunk } from './shrink.ts';

/**
 * Sends the same random requests about objects of built-in kinds to kube-apiserver itself and to this server, and reports
 * each difference that a client can see. ROUNDS (default 1) of a scene for each kind; SEED of the first round (default
 * random); KIND, a pattern of kinds as `apps/v1 Deployment`; SCENES=1 shows what was sent before; SHRINK=1 or
 * --shrink makes each difference small; RESULTS, a file for the differences; REPORT, a file for the counts by feature.
 */
const { ROUNDS = '', SEED = '', KIND = '', SCENES = '', SHRINK = '', RESULTS: file = '' } = process.env;
const shrinks = SHRINK !== '' || process.argv.includes('--shrink');
const rounds = Number(ROUNDS || 1);
const seed = SEED === '' ? Math.floor(Math.random() * 2 ** 31) : Number(SEED);

/** Kinds whose answers are not the same in each run. */
const unordered = {
  'authorization.k8s.io/v1 SelfSubjectRulesReview': 'kube-apiserver lists the rules of bindings in the order of a Go map',
};

if (missingKubeApiserver !== undefined) console.log(`skipped: ${missingKubeApiserver}`);
else {
  const kinds = (await readSubjects()).filter(({ title }) => new RegExp(KIND).test(title) && !(title in unordered));
  const text = knownWords();
  const scenes = kinds.map((subject) => new Scenes(subject, text));
  // the children end with the process
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const pair = await ServerPair.start();
  const found: (readonly Difference[])[] = [];
  const known = new Map<string, number>();
  const tally = new Tally();
  let requests = 0;
  console.log(`seed ${seed}: ${rounds} rounds of ${kinds.length} kinds`);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const one of scenes) {
        const outcome = await compareScene(pair, one.scene(seed + round), tally);
        requests += outcome.requests;
        for (const [name, count] of outcome.known) known.set(name, (known.get(name) ?? 0) + count);
        if (outcome.differences.length > 0) found.push(shrinks ? await shrunk(pair, outcome.differences) : outcome.differences);
      }
    }
  } finally {
    await pair.stop();
  }
  report(found, SCENES !== '' || shrinks);
  for (const [name, count] of known) console.log(`${String(count).padStart(6)}  ${name}`);
  console.log(`\n${requests} requests, ${found.length} answered differently`);
  if (file !== '') writeFileSync(file, JSON.stringify(found));
  await writeReport({
    source: 'random requests about every built-in kind',
    command: `make test-reference ROUNDS=${rounds} SEED=${seed}`,
    version: pair.version,
    features: tally.features(),
  });
}
