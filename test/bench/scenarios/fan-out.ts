import { RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import type { Target } from '../target.ts';

const counts = [500, 5_000];
const events = 20;
const path = '/api/v1/namespaces/default/configmaps';
const marker = Buffer.from('"step":"');

interface Latencies {
  readonly p50: number;
  readonly p99: number;
  /** The time until the last watcher receives an event: the median over events. */
  readonly last: number;
}

/**
 * Measures the time from a write to its event at each of many watchers, one write after the other. The limit writes the
 * same bytes to as many sockets, without server logic or disk.
 */
export async function fanOut(report: Report, server: Target, limit: Target): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const body = (step: number): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'fanned-out' },
      data: { step: `step ${step}`, text: 'x'.repeat(1500) },
    });
  const [writer] = await server.open(1);
  const { body: created } = await writer.send(RawConnection.request('POST', path, body(0), json), true);
  const object = JSON.parse(String(created));
  writer.close();
  for (const count of counts) {
    const { resourceVersion } = await newest(server);
    const ours = await measure(server, count, RawConnection.request('GET', `${path}?watch=1&resourceVersion=${resourceVersion}`), (step) =>
      RawConnection.request('PUT', `${path}/fanned-out`, body(step), json),
    );
    const frame = (step: number): string =>
      `${JSON.stringify({ type: 'MODIFIED', object: { ...object, data: JSON.parse(body(step)).data } })}\n`;
    const bare = await measure(limit, count, RawConnection.request('GET', '/watch'), (step) =>
      RawConnection.request('POST', '/emit', frame(step)),
    );
    report.time(`last of ${count} watchers sees a write (${spread(ours)}; limit ${spread(bare)})`, ours.last, bare.last, 'at least 50%');
  }
}

const spread = ({ p50, p99 }: Latencies): string => `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}`;

async function newest(server: Target): Promise<{ resourceVersion: string }> {
  const [connection] = await server.open(1);
  const { body } = await connection.send(RawConnection.request('GET', `${path}/fanned-out`), true);
  connection.close();
  return JSON.parse(String(body)).metadata;
}

async function measure(target: Target, count: number, open: Buffer, update: (step: number) => Buffer): Promise<Latencies> {
  const watchers = await target.open(count);
  const [writer] = await target.open(1);
  let seen = 0;
  let opened = 0;
  let sentAt = 0;
  let done = (): void => {};
  const latencies: number[] = [];
  const opening = new Promise<void>((resolve) => {
    done = resolve;
  });
  for (const watcher of watchers) {
    let isOpen = false;
    watcher.stream(open, (chunk) => {
      if (!isOpen) {
        isOpen = true;
        if (++opened === count) done();
      }
      if (!chunk.includes(marker)) return;
      latencies.push(performance.now() - sentAt);
      if (++seen === count) done();
    });
  }
  await opening;
  const lasts: number[] = [];
  for (let step = 1; step <= events; step++) {
    seen = 0;
    const all = new Promise<void>((resolve) => {
      done = resolve;
    });
    sentAt = performance.now();
    const { status } = await writer.send(update(step));
    if (status !== 200) throw new Error(`an update returned ${status}`);
    await all;
    lasts.push(latencies[latencies.length - 1]);
  }
  for (const connection of [...watchers, writer]) connection.close();
  const sorted = latencies.sort((a, b) => a - b);
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    last: percentile(
      lasts.sort((a, b) => a - b),
      0.5,
    ),
  };
}
