import { rm } from 'node:fs/promises';
import { podType } from '../../../generated/v1.35/core/v1/resources.ts';
import { systemClock } from '../../../runtime/machinery/clock.ts';
import { PruneContext } from '../../../runtime/machinery/prune/context.ts';
import { createFieldManager } from '../../../runtime/patch/managed-fields/field-manager.ts';
import type { Engine } from '../../../runtime/storage/kv/engine.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { createMemoryEngine } from '../../../runtime/storage/memory/memory-engine.ts';
import { pod } from '../fixtures.ts';
import { hammer, RawConnection } from '../raw-client.ts';
import { percentile, type Report } from '../report.ts';
import { newFolder, startKubeloom, type Target } from '../target.ts';

const path = '/api/v1/namespaces/default/pods';
/** Verbs take turns, so that a slow period of the machine affects all of them. */
const rounds = 3;
const roundMs = 600;
/** The number of objects that are written repeatedly, one per connection at a time. */
const targets = 256;

type Request = () => Buffer;

const send = (method: string, at: string, body: unknown, type = 'application/json'): Buffer =>
  RawConnection.request(method, at, JSON.stringify(body), { 'content-type': type });

/**
 * Returns the requests of each verb. An update sends the whole object and changes one annotation, as do patches and
 * applies.
 */
function requests(): Readonly<Record<'create' | 'update' | 'patch' | 'apply', Request>> {
  let count = 0;
  const marked = (name: string): Record<string, unknown> => {
    const whole = pod(name);
    const { annotations, ...metadata } = whole.metadata as { annotations: object };
    return { ...whole, metadata: { ...metadata, annotations: { ...annotations, count: String(count++) } } };
  };
  const name = (kind: string): string => `${kind}-${count % targets}`;
  return {
    create: () => send('POST', path, pod(`made-${count++}`)),
    update: () => {
      const target = name('put');
      return send('PUT', `${path}/${target}`, marked(target));
    },
    patch: () => {
      const body = { metadata: { annotations: { count: String(count) } } };
      const target = name('patched');
      count++;
      return send('PATCH', `${path}/${target}`, body, 'application/merge-patch+json');
    },
    apply: () => {
      const target = name('applied');
      return send('PATCH', `${path}/${target}?fieldManager=bench&force=true`, marked(target), 'application/apply-patch+yaml');
    },
  };
}

/**
 * Measures creates, updates, patches and applies per second on both engines, against the engine alone with such values.
 */
export async function writes(report: Report): Promise<void> {
  for (const storage of ['memory', 'lmdb'] as const) {
    const server = await startKubeloom([`--storage=${storage}`], { isMeasured: true });
    try {
      await prepare(server);
      const all = requests();
      for (const connections of [1, 16, 64]) {
        const engine = await engineRate(storage, connections);
        const rates: Record<string, number> = {};
        const opened = await server.open(connections);
        const latencies = await takeTurns(opened, all);
        for (const connection of opened) connection.close();
        for (const [verb, all] of Object.entries(latencies)) {
          const perSecond = (1000 * all.length) / (rounds * roundMs);
          const sorted = all.sort((a, b) => a - b);
          const [p50, p99] = [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1));
          rates[verb] = perSecond;
          const what = `${verb}, ${storage}, ${connections} at once (p50 ${p50} ms, p99 ${p99} ms)`;
          report.rate(what, perSecond, engine, '/s', '', 'the engine alone');
        }
        const share = Math.round((100 * rates.apply) / rates.update);
        report.row(`applies beside updates, ${storage}, ${connections} at once`, `${share}%`, '', '50%');
        if (connections === 16) reportManagedFields(report, storage, rates.create);
      }
    } finally {
      await server.close();
    }
  }
}

/** Returns the latencies of each verb in milliseconds. */
async function takeTurns(
  connections: readonly RawConnection[],
  verbs: Readonly<Record<string, Request>>,
): Promise<Record<string, number[]>> {
  const latencies: Record<string, number[]> = {};
  for (let round = -1; round < rounds; round++) {
    for (const [verb, next] of Object.entries(verbs)) {
      const measured = await hammer(connections, roundMs, next, [200, 201]);
      // the first turn warms up
      latencies[verb] = round < 0 ? [] : [...latencies[verb], ...measured.latencies];
    }
  }
  return latencies;
}

/** Creates the targets of updates, patches and applies. */
async function prepare(server: Target): Promise<void> {
  const [connection] = await server.open(1);
  for (let i = 0; i < targets; i++) {
    await connection.send(send('POST', path, pod(`put-${i}`)));
    await connection.send(send('POST', path, pod(`patched-${i}`)));
    const name = `applied-${i}`;
    await connection.send(send('PATCH', `${path}/${name}?fieldManager=bench`, pod(name), 'application/apply-patch+yaml'));
  }
  connection.close();
}

/** Writes values of a stored pod's size into an engine, `writers` at a time. */
async function engineRate(storage: 'memory' | 'lmdb', writers: number): Promise<number> {
  const folder = newFolder();
  const engine: Engine = storage === 'memory' ? createMemoryEngine() : await openLmdbEngine({ path: folder });
  const value = Buffer.from(JSON.stringify(pod('engine')).repeat(2));
  const start = performance.now();
  let written = 0;
  const write = async (): Promise<void> => {
    while (performance.now() - start < 1_000) {
      const key = `/registry/pods/default/p-${written++}`;
      await engine.write({ type: 'put', key, value: Buffer.from(value), expect: 0 });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - start) / 1000;
  await engine.close();
  await rm(folder, { recursive: true, force: true });
  return written / seconds;
}

/** Reports the cost of managed fields alone, as a share of a create's time. */
function reportManagedFields(report: Report, storage: string, createsPerSecond: number): void {
  const gvk = { group: '', version: 'v1', kind: 'Pod' };
  const typed = (value: object) => podType.prune({ apiVersion: 'v1', kind: 'Pod', ...value }, new PruneContext());
  const manager = createFieldManager({ merge: podType.merge, gvk, clock: systemClock });
  const empty = typed({ metadata: {} });
  const object = typed(pod('p'));
  podType.setDefaults(object);
  const rounds = 3_000;
  for (let i = 0; i < rounds; i++) manager.update(empty, object, 'bench');
  const start = performance.now();
  for (let i = 0; i < rounds; i++) manager.update(empty, object, 'bench');
  const each = (performance.now() - start) / rounds;
  const share = Math.round((100 * each * createsPerSecond) / 1000);
  report.row(`managed fields of a create, ${storage}`, `${each.toFixed(3)} ms, ${share}%`, '', '30%');
}
