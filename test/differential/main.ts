import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../support/shared-folder.ts';
import { causes, type Difference, sortByCause } from './causes.ts';
import { besideReference, type Servers } from './servers.ts';

/**
 * Sends the same random requests about custom resources to Kubernetes' own server and to this one, and reports each
 * difference that a client can see and that docs/differences.md does not list. ROUNDS (default 20), SEED (default
 * random), FLAGS of both servers; the arguments go to the tool. Fails if there is a difference that is not listed.
 */
const rounds = process.env.ROUNDS || '20';

interface Outcome {
  readonly operations: number;
  readonly rounds: number;
  readonly differences: readonly Difference[];
  /** Rounds that could not be run. */
  readonly errors: readonly string[];
}

process.exitCode = await besideReference(async (servers) => {
  await runTool(servers);
  const outcome: Outcome = JSON.parse(readFileSync(join(servers.folder, 'differences.json'), 'utf8'));
  return print(outcome) === 0 && outcome.errors.length === 0 ? 0 : 1;
});

/** Prints what it finds, and writes it to `differences.json` in the folder. */
async function runTool({ reference: { url, token }, port, folder }: Servers): Promise<void> {
  const seed = process.env.SEED ? [`--seed=${process.env.SEED}`] : [];
  const own = [`--b=https://127.0.0.1:${port}`, `--b-kubeconfig=${join(folder, 'kubeconfig')}`];
  const sides = [`--a=${url}`, `--a-token=${token}`, ...own, '--insecure'];
  const tool = join(sharedFolder, 'differential/differential.mjs');
  const args = [`--rounds=${rounds}`, ...seed, '--max=0', ...process.argv.slice(2)];
  const json = `--json=${join(folder, 'differences.json')}`;
  await once(spawn(process.execPath, [tool, ...sides, ...args, json], { stdio: 'inherit' }), 'exit');
}

/** Prints the differences by cause. Returns how many have none. */
function print({ differences, rounds: done, operations }: Outcome): number {
  const sorted = sortByCause(differences);
  console.log(`\n${done} rounds, ${operations} operations, ${differences.length} differences:`);
  for (const { name } of causes) console.log(`  ${String(sorted.get(name)?.length ?? 0).padStart(5)}  ${name}`);
  const unlisted = sorted.get(undefined) ?? [];
  console.log(`  ${String(unlisted.length).padStart(5)}  not listed in docs/differences.md`);
  for (const { seed, step, op, request, kind, path, a, b } of unlisted.slice(0, 100)) {
    console.log(
      `\n${kind} seed=${seed} step=${step} ${op} ${request}\n  ${path}\n  reference: ${a}\n  here:      ${b}`,
    );
  }
  return unlisted.length;
}
