import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScenario } from './scenario.ts';

/* A process that runs a seed's scenario and writes its traces to a file: process.ts SEED FILE */

const [seed, file] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'kubeloom-determinism-'));
try {
  await writeFile(file, JSON.stringify(await runScenario(Number(seed), folder)));
} finally {
  await rm(folder, { recursive: true });
}
