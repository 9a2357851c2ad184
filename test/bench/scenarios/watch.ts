import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import type { Target } from '../target.ts';

const watchers = 500;
const events = 500;
const configMaps = '/api/v1/namespaces/default/configmaps';
const marker = Buffer.from('"step":"');

/** Updates cycle through this many objects, so that no update waits for the previous one to be durable. */
const objects = 16;
const writersAtOnce = 16;

/** Measures 500 watchers of 500 durable updates. The limit writes the same frames to as many sockets. */
export async function watch(report: Report, server: Target, limit: Target): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const name = (step: number): string => `watched-${step % objects}`;
  const body = (step: number, state = 'changed'): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: name(step) },
      data: { step: `${state} ${step}`, text: 'x'.repeat(1500) },
    });
  const [writer] = await server.open(1);
  let created = '';
  for (let step = 0; step < objects; step++) {
    const response = await writer.send(RawConnection.request('POST', configMaps, body(step, 'new'), json), true);
    created = String(response.body);
  }
  const revision = JSON.parse(created).metadata.resourceVersion;
  const ours = await eventsPerSecond(server, RawConnection.request('GET', `${configMaps}?watch=1&resourceVersion=${revision}`), (step) =>
    RawConnection.request('PUT', `${configMaps}/${name(step)}`, body(step), json),
  );
  const frame = (step: number): string =>
    `${JSON.stringify({ type: 'MODIFIED', object: { ...JSON.parse(created), data: JSON.parse(body(step)).data } })}\n`;
  const bare = await eventsPerSecond(limit, RawConnection.request('GET', '/watch'), (step) =>
    RawConnection.request('POST', '/emit', frame(step)),
  );
  report.rate(`${watchers} watchers x ${events} events`, ours, bare, 'events/s', 'at least 50%');
  writer.close();
}

async function eventsPerSecond(target: Target, open: Buffer, update: (step: number) => Buffer): Promise<number> {
  const connections = await target.open(watchers);
  const writers = await target.open(writersAtOnce);
  let seen = 0;
  let opened = 0;
  let step = 1;
  const total = watchers * events;
  let allOpen = (): void => {};
  let allSeen = (): void => {};
  const opening = new Promise<void>((resolve) => {
    allOpen = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    allSeen = resolve;
  });
  for (const connection of connections) {
    let started = false;
    let tail = Buffer.alloc(0);
    connection.stream(open, (chunk) => {
      if (!started) {
        started = true;
        if (++opened === watchers) allOpen();
      }
      // A marker may span two chunks: the last bytes are searched again with the next chunk.
      const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk]);
      let at = bytes.indexOf(marker);
      let past = 0;
      for (; at >= 0; at = bytes.indexOf(marker, past)) {
        seen++;
        past = at + marker.length;
      }
      tail = Buffer.from(bytes.subarray(Math.max(past, bytes.length - marker.length + 1)));
      if (seen >= total) allSeen();
    });
  }
  await opening;
  const started = performance.now();
  const loop = async (connection: RawConnection): Promise<void> => {
    while (step <= events) {
      const { status } = await connection.send(update(step++));
      if (status !== 200) throw new Error(`an update returned ${status}`);
    }
  };
  await Promise.all(writers.map(loop));
  await finished;
  const seconds = (performance.now() - started) / 1000;
  for (const connection of [...connections, ...writers]) connection.close();
  return total / seconds;
}
