import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fillStore } from '../pod-stores.ts';
import { processorTime } from '../processor.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { root, startKubeloom } from '../target.ts';

const count = 100_000;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const share = (ran: number, keptWaiting: number): string => `ran ${seconds(ran)}, waited ${seconds(keptWaiting)} for a processor`;

/** Measures a start with many objects: until the server is ready, and until it has loaded and listed all of them. */
export async function startWithObjects(report: Report): Promise<void> {
  const { folder } = await fillStore('lmdb', { default: count }, true);
  // most objects are older than the kept history
  const compact = ['dist/runtime/cli/main.js', 'store', 'compact', `--data-dir=${join(folder, 'data')}`];
  await promisify(execFile)(process.execPath, compact, { cwd: root });
  const started = performance.now();
  const server = await startKubeloom(['--storage=lmdb'], { folder });
  try {
    const [connection] = await server.open(1);
    const { status } = await connection.send(RawConnection.request('GET', '/api/v1/pods?limit=500'));
    if (status !== 200) throw new Error(`a page of pods returned ${status}`);
    const listed = performance.now() - started;
    const { ran, keptWaiting } = processorTime(server.pid);
    connection.close();
    const what = `start with ${count} pods, lmdb`;
    report.row(`${what}: ready`, seconds(server.readyMs), '', 'at most 3 s');
    report.row(`${what}: the first page of them`, `${seconds(listed)} (${share(ran, keptWaiting)})`, '', 'at most 3 s');
  } finally {
    await server.close();
  }
}
