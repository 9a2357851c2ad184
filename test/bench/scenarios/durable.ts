import { rm } from 'node:fs/promises';
import type { Engine } from '../../../runtime/storage/kv/engine.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { Reference } from '../../differential/reference.ts';
import { EtcdCluster, etcdBinary } from '../../support/etcd.ts';
import { openEngine } from '../../support/etcd-engines.ts';
import { collectionOf, definition } from '../definitions.ts';
import { createRate, type Rate } from '../rate.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { newFolder, startKubeloom } from '../target.ts';

const atOnce = [1, 16, 64, 256];
const [warmUpMs, measuredMs] = [1_000, 3_000];
/** The Go server's port. Its etcd uses the next two. */
const referencePort = 36_443;

/**
 * Measures creates of custom resources that are on disk before the response, on each engine, against the engine alone.
 */
export async function durable(report: Report): Promise<void> {
  await onLmdb(report);
  if (etcdBinary === undefined) console.error('  no etcd on the PATH: not measured');
  else await onEtcd(report);
  if (process.env.GO_REFERENCE === '1') await onReference(report);
}

async function onLmdb(report: Report): Promise<void> {
  const folder = newFolder();
  const engine = await openLmdbEngine({ path: folder });
  const alone = await engineRates(engine);
  await rm(folder, { recursive: true, force: true });
  await serverRates(report, 'lmdb', ['--storage=lmdb'], alone);
}

async function onEtcd(report: Report): Promise<void> {
  const etcd = await EtcdCluster.start({ isDurable: true });
  try {
    const alone = await engineRates(await openEngine({ endpoints: etcd.endpoints }, { prefix: '/alone/' }));
    await serverRates(report, 'etcd', [`--etcd-servers=${etcd.endpoints.join(',')}`], alone);
  } finally {
    await etcd.stop();
  }
}

/** Measures Kubernetes' own server in Go with its own etcd. */
async function onReference(report: Report): Promise<void> {
  const reference = await Reference.start(referencePort, []);
  const { hostname: host, port } = new URL(reference.url);
  const open = (count: number): Promise<RawConnection[]> =>
    Promise.all(Array.from({ length: count }, () => RawConnection.open({ host, port: Number(port), ca: '', isInsecure: true })));
  try {
    for (const [count, rate] of await createRates(open, reference.token)) {
      report.row(
        `durable creates of custom resources, the Go server on etcd, ${titleOf(count, rate)}`,
        `${rate.perSecond.toFixed(0)}/s`,
        '',
        '',
      );
    }
  } finally {
    await reference.stop();
  }
}

async function serverRates(report: Report, storage: string, flags: readonly string[], alone: ReadonlyMap<number, number>): Promise<void> {
  const server = await startKubeloom(flags);
  try {
    for (const [count, rate] of await createRates((connections) => server.open(connections))) {
      const what = `durable creates of custom resources, ${storage}, ${titleOf(count, rate)}`;
      report.rate(what, rate.perSecond, alone.get(count) ?? 0, '/s', '', 'the engine alone');
    }
  } finally {
    await server.close();
  }
}

const titleOf = (count: number, { p50, p99 }: Rate): string => `${count} at once (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms)`;

/** Returns the rates of creates of 3 KB widgets, by concurrency. */
async function createRates(open: (count: number) => Promise<RawConnection[]>, token?: string): Promise<Map<number, Rate>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const post = (path: string, body: unknown): Buffer => RawConnection.request('POST', path, JSON.stringify(body), headers);
  const [first] = await open(1);
  await first.send(post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(0)));
  let made = 0;
  const next = (): Buffer => post(collectionOf(0), widget(`w-${made++}`));
  while ((await first.send(next())).status !== 201);
  first.close();
  const rates = new Map<number, Rate>();
  for (const count of atOnce) {
    rates.set(count, await createRate(await open(count), { warmUpMs, measuredMs, next }));
  }
  return rates;
}

/** Returns the rates of an engine's writes of such values, by concurrency. Closes the engine. */
async function engineRates(engine: Engine): Promise<Map<number, number>> {
  const value = Buffer.from(JSON.stringify(widget('engine')));
  const rates = new Map<number, number>();
  let written = 0;
  for (const count of atOnce) {
    const start = performance.now();
    const before = written;
    const write = async (): Promise<void> => {
      while (performance.now() - start < measuredMs) {
        const key = `/alone/widgets/default/w-${written++}`;
        await engine.write({ type: 'put', key, value: Buffer.from(value), expect: 0 });
      }
    };
    await Promise.all(Array.from({ length: count }, write));
    rates.set(count, ((written - before) * 1000) / (performance.now() - start));
  }
  await engine.close();
  return rates;
}

const part = (index: number): object => ({
  name: `part-${index}`,
  image: `registry.example.com/team/app-${index}:v1.27.${index}`,
  replicas: 3,
  policy: 'IfNotPresent',
  limits: { cpu: '500m', memory: '512Mi' },
  ports: [{ name: 'http', number: 8080 }],
});

const widget = (name: string): Record<string, unknown> => ({
  apiVersion: 'group-0.example.com/v1',
  kind: 'Widget',
  metadata: { name, labels: { app: 'service' }, annotations: { note: 'x'.repeat(1200) } },
  spec: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`part${index}`, part(index)])),
});
