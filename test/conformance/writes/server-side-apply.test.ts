import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpClient } from '../../support/http-client.ts';
import { storages } from '../../support/object-fixture.ts';
import { ownersOf as owners, WriteFixture } from '../../support/write-fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const applyType = 'application/apply-patch+yaml';

const config = (name: string, spec: object = {}, rest: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    ...spec,
  },
  ...rest,
});

describe.each(storages)('server-side apply, %s', (storage) => {
  let fixture: WriteFixture;
  let http: HttpClient;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    http = fixture.http;
  });
  afterAll(() => fixture.close());

  const apply = (name: string, object: unknown, query = 'fieldManager=one', sub = '') =>
    http.send('PATCH', `${deployments}/${name}${sub}?${query}`, JSON.stringify(object), applyType);

  test('creates an absent object, and owns the applied fields, not the defaults', async () => {
    const made = await apply('made', config('made'));
    expect(made.status).toBe(201);
    expect(made.json.spec.replicas).toBe(1);
    expect(made.json.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: made.json.metadata.creationTimestamp,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:selector': {},
            'f:template': {
              'f:metadata': { 'f:labels': { 'f:app': {} } },
              'f:spec': {
                'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
              },
            },
          },
        },
      },
    ]);
  });

  test('writes nothing when nothing changes', async () => {
    const first = await apply('noop', config('noop'));
    const again = await apply('noop', config('noop'));
    expect(again.status).toBe(200);
    expect(again.json).toEqual(first.json);
  });

  test('reads YAML', async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n';
    const made = await http.send('PATCH', '/api/v1/namespaces/default/configmaps/yaml?fieldManager=y', yaml, applyType);
    expect([made.status, made.json.data]).toEqual([201, { a: '1' }]);
  });

  test('conflicts, can be forced, and releases fields', async () => {
    await apply('fight', config('fight', { replicas: 2 }));
    const rejected = await apply('fight', config('fight', { replicas: 3 }), 'fieldManager=two');
    expect(rejected.json).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.replicas' }],
      },
    });
    const forced = await apply('fight', config('fight', { replicas: 3 }), 'fieldManager=two&force=true');
    expect([forced.json.spec.replicas, owners(forced.json)]).toEqual([3, ['one Apply', 'two Apply']]);
    const left = await apply('fight', config('fight'), 'fieldManager=two');
    expect(left.json.spec.replicas).toBe(1);
  });

  test('other writes own what they change, by subresource', async () => {
    const agent = { headers: { 'user-agent': 'agent/1.0 (linux)' } };
    const made = await http.send('POST', deployments, JSON.stringify(config('others')), 'application/json', agent);
    expect(owners(made.json)).toEqual(['agent Update']);
    const { 'f:spec': spec } = made.json.metadata.managedFields[0].fieldsV1;
    expect(spec['f:strategy']).toEqual({
      'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} },
      'f:type': {},
    });
    const merge = 'application/merge-patch+json';
    const at = `${deployments}/others`;
    await http.send('PATCH', `${at}/scale?fieldManager=s`, '{"spec":{"replicas":4}}', merge);
    await http.send('PATCH', `${at}/status?fieldManager=c`, '{"status":{"replicas":4}}', merge);
    const now = (await http.get(at)).json;
    expect(owners(now).sort()).toEqual(['agent Update', 'c Update status', 's Update scale']);
    const cleared = await http.send('PATCH', at, '{"metadata":{"managedFields":[{}]}}', merge);
    expect(cleared.json.metadata.managedFields).toBeUndefined();
    const applied = await apply('others', config('others'), 'fieldManager=kubectl');
    expect(owners(applied.json)).toEqual(['kubectl Apply', 'before-first-apply Update']);
  });

  test('an update that changes nothing writes nothing, for any manager', async () => {
    const made = await http.send('POST', deployments, JSON.stringify(config('same')), 'application/json');
    const sent = JSON.stringify(made.json);
    const put = await http.send('PUT', `${deployments}/same?fieldManager=x`, sent, 'application/json');
    expect(put.json).toEqual(made.json);
  });

  test('a dry run stores nothing', async () => {
    expect((await apply('dry', config('dry'), 'fieldManager=one&dryRun=All')).status).toBe(201);
    expect((await http.get(`${deployments}/dry`)).status).toBe(404);
  });

  test.each([
    ['an apply without a manager', config('bad'), '', 422, /fieldManager: Required value: is required for apply patch/],
    [
      'managed fields',
      config('bad', {}, { metadata: { name: 'bad', managedFields: [] } }),
      'fieldManager=a',
      400,
      /^metadata.managedFields must be nil$/,
    ],
    ['another name', config('other'), 'fieldManager=a', 400, /does not match the name on the URL/],
    ['another kind', { ...config('bad'), kind: 'Pod' }, 'fieldManager=a', 400, /^invalid object type: apps\/v1, Kind=Pod$/],
    ['unknown fields', config('bad', { nope: 1 }), 'fieldManager=a', 500, /\.spec\.nope: field not declared in schema$/],
    ['an invalid object', config('bad', { replicas: -1 }), 'fieldManager=a', 422, /spec.replicas: Invalid value: -1/],
    ['a text', 'text', 'fieldManager=a', 400, /^error decoding YAML/],
  ])('rejects %s', async (_name, object, query, code, message) => {
    const response = await apply('bad', object, query);
    expect([response.status, response.json.message]).toEqual([code, expect.stringMatching(message)]);
  });

  test('of a status needs an existing object, and changes nothing else', async () => {
    const status = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'st' }, status: { replicas: 2 } };
    expect((await apply('st', status, 'fieldManager=c', '/status')).status).toBe(404);
    await apply('st', config('st'));
    const written = await apply('st', status, 'fieldManager=c', '/status');
    expect([written.status, written.json.status.replicas]).toEqual([200, 2]);
    expect(owners(written.json).sort()).toEqual(['c Apply status', 'one Apply']);
  });

  test('concurrent applies all succeed', async () => {
    await apply('many', config('many'));
    const annotated = (i: number) => ({
      ...config('many'),
      metadata: { name: 'many', annotations: { [`k${i}`]: 'v' } },
    });
    const responses = await Promise.all([...Array(30).keys()].map((i) => apply('many', annotated(i), `fieldManager=m${i}`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
    const now = (await http.get(`${deployments}/many`)).json;
    expect(Object.keys(now.metadata.annotations)).toHaveLength(30);
    expect(owners(now)).toHaveLength(31);
  });

  test('the managers of updates are capped at ten: the oldest are merged', async () => {
    await http.send('POST', `${deployments}?fieldManager=u0`, JSON.stringify(config('capped')), 'application/json');
    const merge = 'application/merge-patch+json';
    for (let i = 1; i <= 12; i++) {
      const body = JSON.stringify({ metadata: { annotations: { [`k${i}`]: 'v' } } });
      await http.send('PATCH', `${deployments}/capped?fieldManager=u${i}`, body, merge);
    }
    const now = owners((await http.get(`${deployments}/capped`)).json);
    expect(now).toHaveLength(10);
    expect(now).toContain('ancient-changes Update');
    expect(now).toContain('u12 Update');
  });

  test('fields that the server sets are not owned by the client', async () => {
    const made = (await http.get('/api/v1/namespaces/default')).json;
    expect(owners(made)).toEqual(['kube-apiserver Update']);
    expect(made.metadata.managedFields[0].fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } },
    });
  });
});

describe('server-side apply at another version', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  const claimSpecs = {
    v1: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
    v1beta1: { devices: { requests: [{ name: 'r', deviceClassName: 'gpu' }] } },
  };
  const slice = { driver: 'd.io', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 } };
  const specs = {
    ResourceClaim: claimSpecs,
    ResourceClaimTemplate: { v1: { spec: claimSpecs.v1 }, v1beta1: { spec: claimSpecs.v1beta1 } },
    ResourceSlice: {
      v1: { ...slice, devices: [{ name: 'd' }] },
      v1beta1: { ...slice, devices: [{ name: 'd', basic: {} }] },
    },
  };
  const kinds = ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'] as const;
  const versions = [
    ['v1', 'v1beta1'],
    ['v1beta1', 'v1'],
  ] as const;

  test.each(kinds.flatMap((kind) => versions.map(([first, second]) => ({ kind, first, second }))))(
    'a $kind of $first is applied again at $second',
    async ({ kind, first, second }) => {
      const name = `from-${first}`;
      const scope = kind === 'ResourceSlice' ? '' : 'namespaces/default/';
      const apply = (version: 'v1' | 'v1beta1', labels: object) => {
        const apiVersion = `resource.k8s.io/${version}`;
        const path = `/apis/${apiVersion}/${scope}${kind.toLowerCase()}s/${name}?fieldManager=one`;
        const object = { apiVersion, kind, metadata: { name, labels }, spec: specs[kind][version] };
        return fixture.http.send('PATCH', path, JSON.stringify(object), applyType);
      };
      const created = await apply(first, { at: first });
      expect(created.status).toBe(201);
      const applied = await apply(second, { at: second });
      expect(applied.status).toBe(200);
      expect(applied.json.metadata.labels).toEqual({ at: second });
      expect(applied.json.spec).toMatchObject(specs[kind][second]);
    },
  );
});
