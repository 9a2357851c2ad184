import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fillStore } from '../pod-stores.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const count = 100_000;
const target = 'at most 1.6 x their bytes';
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const times = (bytes: number, of: number): string => `${(bytes / of).toFixed(2)} x`;
const share = (bytes: number, of: number): string => `${mebibytes(bytes)}, ${times(bytes, of)}`;

/** Milliseconds: V8 returns the memory of short-lived objects after a minute or more with few allocations. */
const restsAtMost = 180_000;
const looksEvery = 5_000;

/**
 * Measures a store with 100,000 pods, and a server over it, in VmRSS of the whole process. A store's "at once" is after
 * a garbage collection, "at rest" after another one some seconds later. The server is left alone.
 */
export async function memory(report: Report): Promise<void> {
  for (const storage of ['memory', 'lmdb'] as const) {
    const { folder, bytes, before, after, rested } = await fillStore(storage, { default: count }, true);
    report.row(
      `store of ${count} pods (${mebibytes(bytes)} of JSON), ${storage}: resident at rest`,
      `${share(rested.rss, bytes)}; at once ${share(after.rss, bytes)}; empty ${mebibytes(before.rss)}`,
      '',
      target,
    );
    if (storage === 'memory') {
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    const server = await startKubeloom([`--storage=${storage}`], { folder });
    try {
      const [connection] = await server.open(1);
      await connection.send(RawConnection.request('GET', '/api/v1/pods?limit=1'));
      connection.close();
      const atOnce = server.rss() * 2 ** 20;
      const seconds = await rest(server);
      report.row(
        `server started with ${count} pods, ${storage}: resident at rest`,
        `${share(server.rss() * 2 ** 20, bytes)}, after ${seconds} s; at once ${share(atOnce, bytes)}; at most ${share(mostResident(server), bytes)}`,
        '',
        target,
      );
    } finally {
      await server.close();
    }
  }
}

/** Waits until the server has returned memory, up to a limit. Returns the seconds. */
async function rest(server: Target): Promise<number> {
  const atFirst = server.rss();
  const started = performance.now();
  const waited = (): number => performance.now() - started;
  // mapped pages are released first, and are less than this
  while (server.rss() > 0.8 * atFirst && waited() < restsAtMost) await setTimeout(looksEvery);
  return Math.round(waited() / 1000);
}

/** Returns the maximum resident memory. */
function mostResident({ pid }: Target): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
