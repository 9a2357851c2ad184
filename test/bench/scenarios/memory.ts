import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fillStore } from '../pod-stores.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom, type Target } from '../target.ts';

const count = 100_000;
const target = 'at most 1.6 x their bytes';
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const times = (bytes: number, of: number): string => `${(bytes / of).toFixed(2)} x`;
const share = (bytes: number, of: number): string => `${mebibytes(bytes)}, ${times(bytes, of)}`;

/**
 * What a store holds with 100,000 pods, and what a server holds that serves them: VmRSS, all of the process. "At once"
 * is after a collection of garbage; "at rest" after another one, some seconds later: V8 gives back the memory of
 * objects that do not live long, up to 32 MiB, when few are made.
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
    const server = await startKubeloom([`--storage=${storage}`], { folder, isMeasured: true });
    try {
      const [connection] = await server.open(1);
      await connection.send(RawConnection.request('GET', '/api/v1/pods?limit=1'));
      connection.close();
      const peak = mostResident(server);
      const { rss } = await server.ask('memory');
      const rest = await server.ask('memory-at-rest');
      report.row(
        `server started with ${count} pods, ${storage}: resident at rest`,
        `${share(rest.rss, bytes)}; at once ${share(rss, bytes)}; while loading ${share(peak, bytes)}`,
        '',
        target,
      );
    } finally {
      await server.close();
    }
  }
}

/** The most it ever held. */
function mostResident({ pid }: Target): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
