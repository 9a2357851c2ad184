import { hammer, RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import type { Target } from '../target.ts';

const manyLists = 100;
/** About 20 MB. */
const longNamespace = 'long';
export const longPods = 7_000;

/** Measures 20 MB lists: the delay of timers, and the memory of a hundred concurrent lists. */
export async function longLists(report: Report, server: Target): Promise<void> {
  const request = RawConnection.request('GET', `/api/v1/namespaces/${longNamespace}/pods`);
  for (const [atOnce, ms] of [
    [4, 4_000],
    [manyLists, 1],
  ] as const) {
    const connections = await server.open(atOnce);
    // a small response on each connection first, so that the connections' cost does not count
    const small = RawConnection.request('GET', `/api/v1/namespaces/${longNamespace}/pods/pod-1`);
    await hammer(connections, 200, () => small);
    await hammer(connections.slice(0, 4), 1_000, () => request);
    const before = await server.ask('memory');
    let peak = 0;
    const watching = setInterval(() => {
      peak = Math.max(peak, server.rss());
    }, 10);
    await server.ask('delay-start');
    const { megabytesPerSecond } = await hammer(connections, ms, () => request);
    const { p50, p99, max } = await server.ask('delay-stop');
    clearInterval(watching);
    const rate = `${Math.round(megabytesPerSecond)} MB/s`;
    report.row(
      `event loop delay, ${atOnce} lists of 20 MB at once (${rate})`,
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms`,
      '',
      'p99 under 20 ms',
    );
    if (atOnce === manyLists) {
      const grown = peak - before.rss / 2 ** 20;
      report.row(`resident memory grows by, ${atOnce} lists of 20 MB`, `${Math.round(grown)} MiB`, '', 'under 50 MiB');
    }
    for (const connection of connections) connection.close();
  }
}
