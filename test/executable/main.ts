/**
 * Runs the executable of this machine alone in an empty root, and what packaging/ has around it; prints what works, and how
 * fast it is: `make test-executable`. What this machine cannot run is skipped with the reason.
 *
 *   ONLY="LMDB,systemd"  some of the cases, by the beginning of their names
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/generated-project.ts';
import { namesInOnly } from '../support/names-in-only.ts';
import { cases } from './cases.ts';
import { readyTimes } from './ready-times.ts';

const executable = join(root, 'executables', `${process.platform}-${process.arch}`, 'kubeloom');
if (!existsSync(executable)) throw new Error('there is no executable: make executable');
const only = namesInOnly();

console.log('| case | result |\n| --- | --- |');
for (const { name, missing, run } of cases) {
  if (only.length > 0 && !only.some((start) => name.startsWith(start))) continue;
  const reason = missing?.();
  console.log(`| ${name} | ${reason === undefined ? await resultOf(run) : `skipped: ${reason}`} |`);
}
if (only.length === 0) await printTimes();

async function resultOf(run: (executable: string) => Promise<void>): Promise<string> {
  try {
    await run(executable);
    return 'works';
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${(error as Error).stack}\n`);
    return 'fails';
  }
}

async function printTimes(): Promise<void> {
  console.log('\n| ready after | milliseconds, median of 9 |\n| --- | --- |');
  for (const [name, time] of await readyTimes(executable)) console.log(`| ${name} | ${time.toFixed(0)} |`);
}
