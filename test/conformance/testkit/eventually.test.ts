import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import type { RunningServer } from '../../../runtime/index.ts';
import type { NamedReference, ObjectLike } from '../../../runtime/testkit/expectation/object-reference.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer, TestServer } from '../../support/test-server.ts';

const json = 'application/json';
const maps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name });

const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: {} } } }],
  },
};

describe('eventually', () => {
  const suite = TestServer.forSuite();
  const create = (name: string, rest: object = {}) => suite.http.send('POST', maps, JSON.stringify({ metadata: { name }, ...rest }), json);
  const write = (name: string, n: number) =>
    suite.http.send('PUT', `${maps}/${name}`, JSON.stringify({ metadata: { name }, data: { n: String(n) } }), json);
  const remove = (name: string) => suite.http.send('DELETE', `${maps}/${name}`);

  test('tells of each state in order, and resolves with the first one that is accepted', async () => {
    const seen: (string | undefined)[] = [];
    const expected = suite.server.eventually<ConfigMap>(configMap('counter'), (map) => {
      seen.push(map && (map.data?.n ?? 'new'));
      return map?.data?.n === '3';
    });
    await create('counter');
    await Promise.all([1, 2, 3, 4].map((n) => write('counter', n)));
    expect((await expected).data).toEqual({ n: '3' });
    expect(seen).toEqual([undefined, 'new', '1', '2', '3']);
  });

  test('takes the object itself, and an absent object is undefined', async () => {
    const client = await suite.server.client();
    const map = await client.core.v1.configmaps.namespace('default').create({ metadata: { name: 'brief' }, data: { n: '0' } });
    const gone = suite.server.eventually(map, (object) => !object);
    await remove('brief');
    await expect(gone).resolves.toBeUndefined();
  });

  test('waits for what a selector selects', async () => {
    const names = (list: readonly ConfigMap[]): (string | undefined)[] => list.map(({ metadata }) => metadata.name);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', labelSelector: { matchLabels: { app: 'web' } } };
    const seen: unknown[] = [];
    const expected = suite.server.eventually<ConfigMap>(reference, (list) => {
      seen.push(names(list));
      return list.length === 2;
    });
    await create('web-b', { metadata: { name: 'web-b', labels: { app: 'web' } } });
    await create('other');
    await create('web-a', { metadata: { name: 'web-a', labels: { app: 'web' } } });
    expect(names(await expected)).toEqual(['web-a', 'web-b']);
    expect(seen).toEqual([[], ['web-b'], ['web-a', 'web-b']]);
    await write('web-a', 1);
    expect(names(await suite.server.eventually<ConfigMap>({ ...reference, labelSelector: 'app=web' }))).toEqual(['web-b']);
  });

  test('waits for a kind to be served', async () => {
    const expected = suite.server.eventually({ apiVersion: 'example.com/v1', kind: 'Widget', name: 'first' });
    await suite.http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(widgets), json);
    const { name } = widgets.metadata;
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
    interface Definition {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    }
    await suite.server.eventually<Definition>(definition, (crd) =>
      crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True'),
    );
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'first' } };
    await suite.http.send('POST', '/apis/example.com/v1/widgets', JSON.stringify(widget), json);
    await expect(expected).resolves.toMatchObject({ kind: 'Widget', metadata: { name: 'first' } });
  });

  test('says what there is, what happened and why that was not accepted', async () => {
    await create('stuck', { data: { n: '0' } });
    const isFive = (map: ConfigMap | undefined): true => {
      expect(map?.data?.n).toBe('5');
      return true;
    };
    const expected = suite.server.eventually<ConfigMap>(configMap('stuck'), isFive, { timeout: '300ms' });
    const failed = expected.catch((error: Error) => error.message);
    await write('stuck', 1);
    const message = String(await failed);
    expect(message).toContain('ConfigMap default/stuck did not become what was expected within 300ms.');
    expect(message).toMatch(/The predicate threw:\n.*expect/);
    expect(message).toMatch(/Received: .*"1"/);
    expect(message).toMatch(/It is:\n {2}apiVersion: v1\n {2}data:\n {4}"n": "1"\n {2}kind: ConfigMap\n/);
    expect(message).not.toContain('managedFields');
    expect(message).toMatch(/Events:\n {2}MODIFIED default\/stuck, resourceVersion \d+$/);
  });

  test.each<{ reference: ObjectLike | NamedReference; says: string }>([
    { reference: configMap('never'), says: 'It does not exist.\n\nEvents:\n  none' },
    {
      reference: { ...configMap('x'), kind: 'Gadget' },
      says: 'the server has not served the kind Gadget of v1 within 300ms',
    },
    { reference: { kind: 'ConfigMap', metadata: { name: 'x' } }, says: 'needs an apiVersion and a kind' },
    { reference: { ...configMap(''), name: '' }, says: 'needs a name' },
  ])('fails for $reference with a message', async ({ reference, says }) => {
    await expect(suite.server.eventually(reference as NamedReference, () => false, { timeout: 300 })).rejects.toThrow(says);
  });
});

describe('a server that is closed', () => {
  let server: RunningServer;
  let http: HttpClient;
  beforeAll(async () => {
    server = await startTestServer({ requestLog: 1 });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http.close();
    await server.close();
  });

  test('ends what waits for it', async () => {
    const expected = server.eventually(configMap('never')).catch(({ message }) => message);
    const settled = server.settled({ controllers: ['nobody'] }).catch(({ message }) => message);
    await http.get('/readyz');
    await server.close();
    expect(await expected).toContain('before the server was closed');
    expect(await settled).toContain('the server has not settled before the server was closed');
  });
});
