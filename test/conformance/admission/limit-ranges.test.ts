import { describe, expect, test } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const suite = TestServer.forSuite();
const core = '/api/v1/namespaces';
let count = 0;

type Lists = Record<string, Record<string, string>>;

const post = (path: string, object: object): Promise<HttpResponse> =>
  suite.http.send('POST', path, JSON.stringify(object), 'application/json');

/** Creates a namespace with limit ranges. Each argument is the item of one range, or an array of its items. */
async function namespaceWith(...ranges: (object | object[])[]): Promise<string> {
  const name = `ns-${count++}`;
  await post(core, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const [index, limits] of ranges.entries()) {
    const response = await post(`${core}/${name}/limitranges`, {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: `range-${index}` },
      spec: { limits: [limits].flat() },
    });
    expect(response.status).toBe(201);
  }
  return name;
}

const podWith = (spec: object, name = 'p') => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
const podOf = (resources: Lists = {}, name = 'p') => podWith({ containers: [{ name: 'c', image: 'i', resources }] }, name);
const createPod = (namespace: string, pod: object) => post(`${core}/${namespace}/pods`, pod);

const claimOf = (storage: string, name = 'claim') => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

const amounts = (cpu: string, memory: string, storage: string) => ({ cpu, memory, 'ephemeral-storage': storage });

describe('[sig-scheduling] LimitRange', () => {
  test('should create a LimitRange with defaults and ensure pod has those defaults applied.', async () => {
    const defaultLimit = amounts('500m', '500Mi', '500Gi');
    const defaultRequest = amounts('100m', '200Mi', '200Gi');
    const max = amounts('500m', '500Mi', '500Gi');
    const min = amounts('50m', '100Mi', '100Gi');
    const namespace = await namespaceWith({ type: 'Container', min, max, default: defaultLimit, defaultRequest });
    const ranges = `${core}/${namespace}/limitranges`;

    const plain = await createPod(namespace, podOf({}, 'pod-no-resources'));
    expect(plain.json.spec.containers[0].resources).toEqual({ requests: defaultRequest, limits: defaultLimit });

    const requests = { memory: '150Mi', 'ephemeral-storage': '150Gi' };
    const partial = await createPod(namespace, podOf({ requests, limits: { cpu: '300m' } }, 'pod-partial-resources'));
    // a request defaults to its limit before the limit range applies
    expect(partial.json.spec.containers[0].resources).toEqual({
      requests: amounts('300m', '150Mi', '150Gi'),
      limits: amounts('300m', '500Mi', '500Gi'),
    });

    const tooSmall = podOf({ requests: amounts('10m', '50Mi', '50Gi') }, 'small');
    const tooLarge = podOf({ requests: amounts('600m', '600Mi', '600Gi') }, 'large');
    expect((await createPod(namespace, tooSmall)).status).toBe(403);
    expect((await createPod(namespace, tooLarge)).status).toBe(422);

    const range = (await suite.http.get(`${ranges}/range-0`)).json;
    range.spec.limits[0].min = amounts('9m', '49Mi', '49Gi');
    expect((await suite.http.send('PUT', `${ranges}/range-0`, JSON.stringify(range), 'application/json')).status).toBe(200);
    expect((await createPod(namespace, tooSmall)).status).toBe(201);
    expect((await createPod(namespace, tooLarge)).status).toBe(422);

    await suite.http.send('DELETE', `${ranges}/range-0`);
    expect((await createPod(namespace, tooLarge)).status).toBe(201);
  });
});

describe('the admission plugin LimitRanger', () => {
  test('says in an annotation what it set, and for which containers', async () => {
    const namespace = await namespaceWith({
      type: 'Container',
      default: { memory: '1Gi', cpu: '1' },
      defaultRequest: { memory: '512Mi', cpu: '250m' },
    });
    const pod = podWith({
      initContainers: [{ name: 'setup', image: 'i' }],
      containers: [
        { name: 'a', image: 'i', resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } } },
        {
          name: 'b',
          image: 'i',
          resources: { requests: { cpu: '1', memory: '1' }, limits: { cpu: '1', memory: '1' } },
        },
      ],
    });
    const { json } = await createPod(namespace, pod);
    expect(json.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: memory request for container a; memory limit for container a; cpu, memory request for init container setup; cpu, memory limit for init container setup',
    );
    expect(json.spec.containers[1].resources).toEqual({
      requests: { cpu: '1', memory: '1' },
      limits: { cpu: '1', memory: '1' },
    });
    expect(json.status.qosClass).toBe('Burstable');
  });

  test('applies several limit ranges one after the other', async () => {
    const namespace = await namespaceWith(
      { type: 'Container', default: { cpu: '1' } },
      { type: 'Container', default: { cpu: '2', memory: '1Gi' } },
    );
    const { json } = await createPod(namespace, podOf());
    expect(json.spec.containers[0].resources.limits).toEqual({ cpu: '1', memory: '1Gi' });
    expect(json.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: memory request for container c; memory limit for container c',
    );
  });

  test.each([
    {
      name: 'a request below the minimum',
      item: { type: 'Container', min: { cpu: '100m' } },
      resources: { requests: { cpu: '50m' } },
      why: 'minimum cpu usage per Container is 100m, but request is 50m',
    },
    {
      name: 'no limit where there is a maximum, for a resource without defaults',
      item: { type: 'Pod', max: { memory: '1Gi' } },
      resources: { requests: { memory: '1Mi' } },
      why: 'maximum memory usage per Pod is 1Gi.  No limit is specified',
    },
    {
      name: 'no request where there is a minimum',
      item: { type: 'Pod', min: { cpu: '1' } },
      resources: {},
      why: 'minimum cpu usage per Pod is 1.  No request is specified',
    },
    {
      name: 'a limit above the maximum',
      item: { type: 'Container', max: { cpu: '2' } },
      resources: { requests: { cpu: '1' }, limits: { cpu: '2500m' } },
      why: 'maximum cpu usage per Container is 2, but limit is 2500m',
    },
    {
      name: 'a limit that is too large for the request',
      item: { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      resources: { requests: { cpu: '100m' }, limits: { cpu: '250m' } },
      why: 'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
    },
    {
      name: 'no limit where a ratio is to be kept',
      item: { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      resources: { requests: { cpu: '100m' } },
      why: 'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    },
    {
      name: 'several at once',
      item: { type: 'Container', max: { cpu: '1' }, maxLimitRequestRatio: { memory: '1' } },
      resources: { requests: { cpu: '1' }, limits: { cpu: '2' } },
      why: '[maximum cpu usage per Container is 1, but limit is 2, memory max limit to request ratio per Container is 1, but no request is specified or request is 0]',
    },
  ])('refuses $name', async ({ item, resources, why }) => {
    const namespace = await namespaceWith(item);
    const { status, json } = await createPod(namespace, podOf(resources as Lists));
    expect(status).toBe(403);
    expect(json).toMatchObject({ reason: 'Forbidden', message: `pods "p" is forbidden: ${why}` });
  });

  test('counts for a pod what its containers need at once, or what the pod states', async () => {
    const namespace = await namespaceWith({ type: 'Pod', max: { cpu: '3' } });
    const needs = (cpu: string) => ({ resources: { requests: { cpu }, limits: { cpu } } });
    const sidecar = { name: 'sidecar', image: 'i', restartPolicy: 'Always', ...needs('1') };
    const setup = { name: 'setup', image: 'i', ...needs('2') };
    const main = { name: 'main', image: 'i', ...needs('1') };
    expect((await createPod(namespace, podWith({ initContainers: [sidecar, setup], containers: [main] }))).status).toBe(201);
    const tooMuch = podWith(
      { initContainers: [sidecar, setup], containers: [main, { ...main, name: 'more' }, { ...main, name: 'most' }] },
      'q',
    );
    expect((await createPod(namespace, tooMuch)).json.message).toBe(
      'pods "q" is forbidden: maximum cpu usage per Pod is 3, but limit is 4',
    );
    const stated = podWith({ containers: [{ name: 'c', image: 'i' }], resources: { limits: { cpu: '4' } } }, 'r');
    expect((await createPod(namespace, stated)).json.message).toBe('pods "r" is forbidden: maximum cpu usage per Pod is 3, but limit is 4');
  });

  test('bounds the storage of claims when they are created and when they grow', async () => {
    const namespace = await namespaceWith({
      type: 'PersistentVolumeClaim',
      min: { storage: '1Gi' },
      max: { storage: '10Gi' },
    });
    const claims = `${core}/${namespace}/persistentvolumeclaims`;
    expect((await post(claims, claimOf('500Mi'))).json.message).toBe(
      'persistentvolumeclaims "claim" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi',
    );
    expect((await post(claims, claimOf('20Gi'))).json.message).toBe(
      'persistentvolumeclaims "claim" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi',
    );
    expect((await post(claims, claimOf('5Gi'))).status).toBe(201);
  });

  test('checks a resize, and no other update of a pod', async () => {
    const namespace = await namespaceWith({ type: 'Container', max: { cpu: '2' } });
    const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu } });
    await createPod(namespace, podOf(resources('1')));
    const resize = { spec: { containers: [{ name: 'c', resources: resources('3') }] } };
    const patch = (path: string, body: object) =>
      suite.http.send('PATCH', path, JSON.stringify(body), 'application/strategic-merge-patch+json');
    const path = `${core}/${namespace}/pods/p`;
    expect((await patch(`${path}/resize`, resize)).json.message).toBe(
      'pods "p" is forbidden: maximum cpu usage per Container is 2, but limit is 3',
    );
    await suite.http.send('DELETE', `${core}/${namespace}/limitranges/range-0`);
    await post(`${core}/${namespace}/limitranges`, {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'stricter' },
      spec: { limits: [{ type: 'Container', max: { cpu: '500m' } }] },
    });
    expect((await patch(path, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
  });
});
