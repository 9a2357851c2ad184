import { type Credentials, RawConnection } from './raw-client.ts';

const pods = '/api/v1/namespaces/bench/pods';
const leases = '/apis/coordination.k8s.io/v1/namespaces/bench/leases';
const podCount = 3_000;
const leaseCount = 1_000;
const patchesOfEachLease = 4;
const listCount = 10;
const atOnce = 16;

/** Requests of one sort, which a measured server gets one after the other on each connection. */
export interface KindRow {
  readonly name: string;
  readonly count: number;
  /** The number of connections. */
  readonly atOnce: number;
  readonly method: string;
  path(index: number): string;
  readonly headers: Record<string, string>;
  body?(index: number): unknown;
}

const spec = {
  automountServiceAccountToken: false,
  containers: [
    {
      name: 'c',
      image: 'nginx:1',
      ports: [{ containerPort: 80 }],
      env: [{ name: 'A', value: 'b' }],
      resources: { requests: { cpu: '10m', memory: '10Mi' } },
      readinessProbe: { httpGet: { path: '/', port: 80 } },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const pod = (index: number, labels: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p${index}`, labels },
  spec,
});
const ready = { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-01T00:00:00Z' };
const leaseSpec = (index: number): object => ({
  holderIdentity: `n${index}`,
  leaseDurationSeconds: 40,
  renewTime: `2026-01-01T00:00:${10 + (index % 40)}.000000Z`,
});

const sent = (type: string): Record<string, string> => ({ 'content-type': type });
const json = sent('application/json');
const list = (name: string, accept: string): KindRow => ({
  name,
  count: listCount,
  atOnce: 1,
  method: 'GET',
  path: () => `${pods}?resourceVersion=0`,
  headers: { accept },
});

/** In order: later rows need the objects of earlier ones, and the last rows remove all objects. */
export const kindRows: readonly KindRow[] = [
  {
    name: 'pod create',
    count: podCount,
    atOnce,
    method: 'POST',
    path: () => pods,
    headers: json,
    body: (index) => pod(index, { app: `a${index % 50}`, tier: 'x' }),
  },
  { name: 'pod get', count: podCount, atOnce, method: 'GET', path: (index) => `${pods}/p${index}`, headers: {} },
  list('list of 3,000 pods, JSON', 'application/json'),
  list('list of 3,000 pods, protobuf', 'application/vnd.kubernetes.protobuf'),
  list('list of 3,000 pods, Table', 'application/json;as=Table;v=v1;g=meta.k8s.io'),
  {
    name: 'pod status, strategic merge patch',
    count: podCount,
    atOnce,
    method: 'PATCH',
    path: (index) => `${pods}/p${index}/status`,
    headers: sent('application/strategic-merge-patch+json'),
    body: () => ({ status: { conditions: [ready], phase: 'Running' } }),
  },
  {
    name: 'pod apply by a second manager',
    count: podCount,
    atOnce,
    method: 'PATCH',
    path: (index) => `${pods}/p${index}?fieldManager=m&force=true`,
    headers: sent('application/apply-patch+yaml'),
    body: (index) => pod(index, { y: 'z' }),
  },
  {
    name: 'lease create',
    count: leaseCount,
    atOnce,
    method: 'POST',
    path: () => leases,
    headers: json,
    body: (index) => ({ metadata: { name: `l${index}` }, spec: leaseSpec(index) }),
  },
  {
    name: 'lease merge patch',
    count: leaseCount * patchesOfEachLease,
    atOnce,
    method: 'PATCH',
    path: (index) => `${leases}/l${index % leaseCount}`,
    headers: sent('application/merge-patch+json'),
    body: (index) => ({ spec: leaseSpec(index) }),
  },
  { name: 'lease delete', count: leaseCount, atOnce, method: 'DELETE', path: (index) => `${leases}/l${index}`, headers: {} },
  {
    name: 'pod delete, without grace',
    count: podCount,
    atOnce,
    method: 'DELETE',
    path: (index) => `${pods}/p${index}?gracePeriodSeconds=0`,
    headers: {},
  },
];

/** The requests of a row. `path` replaces the row's paths, for a bare server. */
export function requestsOf(row: KindRow, path?: string): Buffer[] {
  return Array.from({ length: row.count }, (_, index) => {
    const body = row.body?.(index);
    return RawConnection.request(row.method, path ?? row.path(index), body === undefined ? undefined : JSON.stringify(body), row.headers);
  });
}

/** The pod that is watched and changed. */
export const watchedPod = {
  create: RawConnection.request('POST', pods, JSON.stringify({ metadata: { name: 'watched' }, spec }), json),
  remove: RawConnection.request('DELETE', `${pods}/watched?gracePeriodSeconds=0`),
  get: RawConnection.request('GET', `${pods}/watched`),
  watchAfter: (revision: string): Buffer =>
    RawConnection.request('GET', `${pods}?watch=1&fieldSelector=metadata.name%3Dwatched&resourceVersion=${revision}`),
  change: (step: string): Buffer =>
    RawConnection.request('PATCH', `${pods}/watched`, JSON.stringify({ metadata: { annotations: { step } } }), {
      'content-type': 'application/merge-patch+json',
    }),
};

/** Creates what the rows need. kube-apiserver without controllers makes no service account. */
export async function prepareKinds(credentials: Credentials): Promise<void> {
  const connection = await RawConnection.open(credentials);
  const post = async (path: string, name: string): Promise<void> => {
    const { status, body } = await connection.send(RawConnection.request('POST', path, JSON.stringify({ metadata: { name } }), json), true);
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${status} ${body}`);
  };
  await post('/api/v1/namespaces', 'bench');
  await post('/api/v1/namespaces/bench/serviceaccounts', 'default');
  connection.close();
}
