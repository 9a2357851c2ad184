import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownersOf, WriteFixture } from '../../support/write-fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const services = '/api/v1/namespaces/default/services';

const pod = {
  tolerations: [{ key: 'a', operator: 'Exists' }],
  containers: [
    { name: 'a', image: 'a:1', env: [{ name: 'X', value: '1' }], ports: [{ containerPort: 80 }] },
    { name: 'b', image: 'b:1', args: ['one'] },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, finalizers: ['example.com/one'] },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod },
  },
});

describe('strategic merge patch', () => {
  let fixture: WriteFixture;
  let count = 0;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  async function patched(body: object) {
    const name = `d-${count++}`;
    await fixture.create(deployments, deployment(name));
    const { json } = await fixture.patch('strategic', `${deployments}/${name}`, body);
    return json;
  }
  const template = (spec: object) => ({ spec: { template: { spec } } });
  // biome-ignore lint/suspicious/noExplicitAny: an object of any kind
  const containers = (json: any) => json.spec.template.spec.containers;

  test('merges items by their key, and replaces lists without one', async () => {
    const json = await patched(
      template({
        containers: [
          { name: 'b', args: ['two'] },
          { name: 'c', image: 'c:1' },
        ],
      }),
    );
    expect(containers(json).map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
    expect(containers(json)[1]).toMatchObject({ image: 'b:1', args: ['two'] });
    const other = await patched(template({ tolerations: [{ key: 'b', operator: 'Exists' }] }));
    expect(other.spec.template.spec.tolerations).toEqual([{ key: 'b', operator: 'Exists' }]);
  });

  test('$patch: delete deletes an item', async () => {
    const json = await patched(template({ containers: [{ name: 'a', $patch: 'delete' }] }));
    expect(containers(json).map(({ name }: { name: string }) => name)).toEqual(['b']);
  });

  test('$patch: replace replaces a list or an object', async () => {
    const json = await patched(template({ containers: [{ $patch: 'replace' }, { name: 'only', image: 'o:1' }] }));
    expect(containers(json).map(({ name }: { name: string }) => name)).toEqual(['only']);
    const other = await patched({
      metadata: { finalizers: null },
      spec: { strategy: { $patch: 'replace', type: 'Recreate' } },
    });
    expect([other.spec.strategy, other.metadata.finalizers]).toEqual([{ type: 'Recreate' }, undefined]);
  });

  test('$retainKeys keeps only the listed keys', async () => {
    const json = await patched({ spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } });
    expect(json.spec.strategy).toEqual({ type: 'Recreate' });
    const volumes = await patched(template({ volumes: [{ name: 'v', hostPath: { path: '/x' }, $retainKeys: ['name', 'hostPath'] }] }));
    expect(volumes.spec.template.spec.volumes).toEqual([{ name: 'v', hostPath: { path: '/x', type: '' } }]);
  });

  test('$setElementOrder orders items', async () => {
    const order = [{ name: 'b' }, { name: 'a' }];
    const json = await patched(template({ '$setElementOrder/containers': order, containers: [{ name: 'a', image: 'a:2' }] }));
    expect(containers(json).map(({ name, image }: { name: string; image: string }) => [name, image])).toEqual([
      ['b', 'b:1'],
      ['a', 'a:2'],
    ]);
  });

  test('$deleteFromPrimitiveList deletes members of a set', async () => {
    const json = await patched({
      metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/one'], finalizers: ['example.com/two'] },
    });
    expect(json.metadata.finalizers).toEqual(['example.com/two']);
  });

  test('ports of a service are identified by their number here, and by number and protocol in apply', async () => {
    const ports = [
      { name: 'tcp', port: 53, protocol: 'TCP' },
      { name: 'udp', port: 53, protocol: 'UDP' },
    ];
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'dns' }, spec: { ports } };
    await fixture.create(services, service);
    const body = { spec: { ports: [{ port: 53, name: 'renamed', protocol: 'TCP' }] } };
    const merged = (await fixture.patch('strategic', `${services}/dns?dryRun=All`, body)).json;
    expect(merged.spec.ports.map(({ name }: { name: string }) => name)).toEqual(['renamed', 'udp']);
    const config = {
      ...service,
      spec: {
        ports: [
          { port: 53, name: 'tcp' },
          { port: 53, protocol: 'UDP', name: 'dns' },
        ],
      },
    };
    const applied = (await fixture.patch('apply', `${services}/dns?fieldManager=a&force=true`, config)).json;
    expect(applied.spec.ports.map(({ name }: { name: string }) => name)).toEqual(['tcp', 'dns']);
    const own = applied.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'a');
    expect(Object.keys(own.fieldsV1['f:spec']['f:ports'])).toEqual(['k:{"port":53,"protocol":"TCP"}', 'k:{"port":53,"protocol":"UDP"}']);
  });
});

describe('ownership across versions', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  const at = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/h`;
  const scaler = (version: string, maxReplicas: number, rest: object = {}) => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { maxReplicas, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, ...rest },
  });

  test('a field that is owned at one version conflicts at another', async () => {
    await fixture.patch('apply', `${at('v2')}?fieldManager=two`, scaler('v2', 5));
    const rejected = await fixture.patch('apply', `${at('v1')}?fieldManager=one`, scaler('v1', 6));
    expect(rejected.json.message).toBe('Apply failed with 1 conflict: conflict with "two": .spec.maxReplicas');
    const shared = await fixture.patch('apply', `${at('v1')}?fieldManager=one`, scaler('v1', 5));
    expect(ownersOf(shared.json)).toEqual(['one Apply', 'two Apply']);
    expect(shared.json.metadata.managedFields.map(({ apiVersion }: { apiVersion: string }) => apiVersion)).toEqual([
      'autoscaling/v1',
      'autoscaling/v2',
    ]);
    const left = await fixture.patch('apply', `${at('v2')}?fieldManager=two`, scaler('v2', 5, { minReplicas: 2 }));
    expect([left.status, left.json.spec.minReplicas]).toEqual([200, 2]);
    const gone = await fixture.patch('apply', `${at('v2')}?fieldManager=two`, scaler('v2', 5));
    expect(gone.json.spec.minReplicas).toBe(1);
  });
});
