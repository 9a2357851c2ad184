import { pod } from '../fixtures.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import type { Target } from '../target.ts';

/** Measures durable creates, one after the other and 64 at once. The limit serves the same requests without work. */
export async function create(report: Report, server: Target, limit: Target): Promise<void> {
  let made = 0;
  const path = '/api/v1/namespaces/default/pods';
  const next = (): Buffer =>
    RawConnection.request('POST', path, JSON.stringify(pod(`created-${made++}`)), {
      'content-type': 'application/json',
    });
  const emit = (): Buffer => RawConnection.request('POST', '/emit', JSON.stringify(pod(`created-${made++}`)));
  for (const connections of [1, 64]) {
    const ours = await server.open(connections);
    const theirs = await limit.open(connections);
    await hammer(ours, 2_000, next, [201]);
    const rates = await hammer(ours, 4_000, next, [201]);
    const bare = await hammer(theirs, 2_000, emit);
    const sorted = rates.latencies.sort((a, b) => a - b);
    const latency = `p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${percentile(sorted, 0.99).toFixed(1)} ms`;
    const what = `durable creates, ${connections} at once (${latency})`;
    report.rate(what, rates.perSecond, bare.perSecond, '/s', '');
    for (const connection of [...ours, ...theirs]) connection.close();
  }
}
