import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { everyVersionOf, generateReleases } from '../support/releases.ts';

/** An object of a release and the server's result. `as` is the version to read. */
interface Case {
  readonly path: string;
  readonly given: object;
  readonly as?: string;
  readonly want: object;
}

const dra = (version: string): string => `/apis/resource.k8s.io/${version}`;
const claims = (version: string): string => `${dra(version)}/namespaces/default/resourceclaims`;
const request = { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 };
const flatClaim = { kind: 'ResourceClaim', spec: { devices: { requests: [request] } } };
const { name, ...exactly } = request;
const exactClaim = { kind: 'ResourceClaim', spec: { devices: { requests: [{ name, exactly }] } } };

const slice = (capacity: object): object => ({
  kind: 'ResourceSlice',
  spec: {
    driver: 'd',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    nodeName: 'n',
    devices: [{ name: 'one', basic: { capacity } }],
  },
});

const workload = {
  kind: 'Workload',
  spec: { podGroupTemplates: [{ name: 'g', schedulingPolicy: { basic: {} } }] },
};

const migration = {
  kind: 'StorageVersionMigration',
  spec: { resource: { group: 'apps', version: 'v1', resource: 'deployments' } },
};
const cidr = { kind: 'ServiceCIDR', spec: { cidrs: ['10.9.0.0/24'] } };
const service = { kind: 'Service', spec: { ports: [{ port: 80 }] } };

const cases: Readonly<Record<string, readonly Case[]>> = {
  '1.32': [
    { path: claims('v1alpha3'), given: flatClaim, want: flatClaim },
    { path: claims('v1alpha3'), given: flatClaim, as: 'v1beta1', want: flatClaim },
    { path: `${dra('v1alpha3')}/resourceslices`, given: slice({ a: '1Gi' }), want: slice({ a: '1Gi' }) },
    {
      path: `${dra('v1alpha3')}/resourceslices`,
      given: slice({ a: '1Gi' }),
      as: 'v1beta1',
      want: slice({ a: { value: '1Gi' } }),
    },
    { path: '/api/v1/namespaces/default/services', given: service, want: { spec: { type: 'ClusterIP' } } },
    { path: '/apis/networking.k8s.io/v1beta1/servicecidrs', given: cidr, want: cidr },
  ],
  '1.33': [
    { path: claims('v1beta2'), given: exactClaim, as: 'v1alpha3', want: flatClaim },
    { path: claims('v1alpha3'), given: flatClaim, as: 'v1beta2', want: exactClaim },
    { path: '/api/v1/namespaces/default/services', given: service, want: { spec: { type: 'ClusterIP' } } },
  ],
  '1.34': [
    { path: claims('v1'), given: exactClaim, as: 'v1beta1', want: flatClaim },
    {
      path: '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations',
      given: migration,
      want: migration,
    },
  ],
  '1.36': [
    { path: '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/workloads', given: workload, want: workload },
    { path: claims('v1'), given: exactClaim, as: 'v1beta1', want: flatClaim },
  ],
};

describe.each(Object.entries(cases))('Kubernetes %s', (kubernetes, table) => {
  let server: RunningServer;
  let http: HttpClient;
  beforeAll(async () => {
    await generateReleases();
    server = await startServer({ ...everyVersionOf(`v${kubernetes}`), kubernetes });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
  });

  test.each(table.map((row) => [row.path, row.as ?? 'the same version', row] as const))(
    '%s, read at %s',
    async (path, _, { given, as, want }) => {
      const [, group, version] = /^\/apis?\/(?:(.*?)\/)?(v\w+)\//.exec(path) ?? [];
      const apiVersion = group === undefined ? version : `${group}/${version}`;
      const object = { apiVersion, metadata: { name: 'one' }, ...given };
      const made = await http.send('POST', path, JSON.stringify(object), 'application/json');
      expect([made.status, made.json.metadata?.name]).toEqual([201, 'one']);
      const read = await http.get(`${path.replace(`/${version}/`, `/${as ?? version}/`)}/one`);
      expect(read.json).toMatchObject(want);
      expect((await http.send('DELETE', `${path}/one`)).status).toBe(200);
    },
  );
});
