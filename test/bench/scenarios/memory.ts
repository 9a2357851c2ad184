import { rm } from 'node:fs/promises';
import { fillStore } from '../pod-stores.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom } from '../target.ts';

const count = 100_000;
const target = 'at most 1.6 x their bytes';
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const times = (bytes: number, of: number): string => `${(bytes / of).toFixed(2)} x`;

/** What a store holds with 100,000 pods, and what a server holds that serves them. */
export async function memory(report: Report): Promise<void> {
  for (const storage of ['memory', 'lmdb'] as const) {
    const { folder, bytes, before, after } = await fillStore(storage, { default: count }, true);
    const own = times(after.anonymous - before.anonymous, bytes);
    report.row(
      `store of ${count} pods (${mebibytes(bytes)} of JSON), ${storage}: resident`,
      `${mebibytes(after.rss)}, ${times(after.rss, bytes)}; grown by ${own}`,
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
      const { rss, anonymous } = await server.ask('memory');
      report.row(
        `server with ${count} pods, ${storage}: resident`,
        `${mebibytes(rss)}, ${times(rss, bytes)}; without mapped files ${times(anonymous, bytes)}`,
        '',
        target,
      );
    } finally {
      await server.close();
    }
  }
}
