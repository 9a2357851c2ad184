import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { storages } from '../../support/object-fixture.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const root = '/api/v1/namespaces/default';
const maps = `${root}/configmaps`;
const map = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
});

describe.each(storages)('creates and updates, %s', (storage) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open({ storage });
    await fixture.create(maps, map('here'));
  });
  afterAll(() => fixture.close());

  const modified =
    'Operation cannot be fulfilled on configmaps "here": the object has been modified; please apply your changes to the latest version and try again';
  const mismatch = 'the namespace of the provided object does not match the namespace sent on the request';

  test.each<[string, (d: WriteFixture) => Promise<{ json: { code: number; reason: string; message: string } }>, number, string, string]>([
    ['a name that is taken', (d) => d.create(maps, map('here')), 409, 'AlreadyExists', 'configmaps "here" already exists'],
    [
      'a taken name beside generateName',
      (d) => d.create(maps, map('here', { generateName: 'h-' })),
      409,
      'AlreadyExists',
      'configmaps "here" already exists, the server was not able to generate a unique name for the object',
    ],
    [
      'no name',
      (d) => d.create(maps, { apiVersion: 'v1', kind: 'ConfigMap' }),
      422,
      'Invalid',
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    ['another namespace', (d) => d.create(maps, map('x', { namespace: 'other' })), 400, 'BadRequest', mismatch],
    ['a PUT with another namespace', (d) => d.put(`${maps}/here`, map('here', { namespace: 'other' })), 400, 'BadRequest', mismatch],
    [
      'a PUT with another name',
      (d) => d.put(`${maps}/here`, map('other')),
      400,
      'BadRequest',
      'the name of the object (other) does not match the name on the URL (here)',
    ],
    [
      'another kind',
      (d) => d.create(maps, { ...map('x'), kind: 'Secret' }),
      400,
      'BadRequest',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      'an absent namespace',
      (d) => d.create('/api/v1/namespaces/none/configmaps', map('x')),
      404,
      'NotFound',
      'namespaces "none" not found',
    ],
    ['a PUT of an absent object', (d) => d.put(`${maps}/none`, map('none')), 404, 'NotFound', 'configmaps "none" not found'],
    ['an old version', (d) => d.put(`${maps}/here`, map('here', { resourceVersion: '1' })), 409, 'Conflict', modified],
    [
      'an old version in a patch',
      (d) => d.patch('merge', `${maps}/here`, { metadata: { resourceVersion: '1' } }),
      409,
      'Conflict',
      modified,
    ],
    [
      'a POST to an object',
      (d) => d.create(`${maps}/here`, map('here')),
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    ],
    [
      'a body of an unknown media type',
      (d) => d.http.send('POST', maps, 'x', 'text/plain'),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      'an Accept header of an unknown media type',
      (d) => d.http.send('POST', maps, JSON.stringify(map('x')), 'application/json', { headers: { accept: 'text/plain' } }),
      406,
      'NotAcceptable',
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      'a body that is too large',
      (d) => d.create(maps, 'x'.repeat(3 * 1024 * 1024 + 1)),
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 3145728',
    ],
    [
      'the deletion of the namespace default',
      (d) => d.remove('/api/v1/namespaces/default'),
      403,
      'Forbidden',
      'namespaces "default" is forbidden: this namespace may not be deleted',
    ],
  ])('%s', async (_what, send, code, reason, message) => {
    const { json } = await send(fixture);
    expect([json.code, json.reason, json.message]).toEqual([code, reason, message]);
  });

  test.each([
    ['configmaps', maps, 'Not_Valid', 'a lowercase RFC 1123 subdomain must consist of'],
    ['services', `${root}/services`, '1st', 'a DNS-1035 label must consist of'],
    ['namespaces', '/api/v1/namespaces', 'a.b', 'must not contain dots'],
    ['clusterroles', '/apis/rbac.authorization.k8s.io/v1/clusterroles', 'a%b', "may not contain '%'"],
  ])('the names of %s are validated by their rule', async (resource, path, name, rule) => {
    const kinds: Record<string, object> = {
      services: { kind: 'Service', apiVersion: 'v1', spec: { ports: [{ port: 1 }] } },
      clusterroles: { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1' },
      namespaces: { kind: 'Namespace', apiVersion: 'v1' },
      configmaps: { kind: 'ConfigMap', apiVersion: 'v1' },
    };
    const { json } = await fixture.create(path, { ...kinds[resource], metadata: { name } });
    expect([json.code, json.details.causes[0].field]).toEqual([422, 'metadata.name']);
    expect(json.message).toContain(`metadata.name: Invalid value: "${name}": ${rule}`);
  });

  test('generated names have a suffix of five characters and at most 63 characters in all', async () => {
    const names = await Promise.all(
      ['short-', 'x'.repeat(80)].map(async (generateName) => {
        const { json } = await fixture.create(maps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { generateName },
        });
        return json.metadata.name as string;
      }),
    );
    expect(names[0]).toMatch(/^short-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(names[1]).toHaveLength(63);
  });

  test('immutable fields are restored, or rejected', async () => {
    const made = (await fixture.create(maps, map('fixed', { selfLink: '/x', generation: 7 }))).json;
    expect([made.metadata.selfLink, made.metadata.generation]).toEqual([undefined, 7]);
    const put = await fixture.put(`${maps}/fixed`, map('fixed', { creationTimestamp: '2001-01-01T00:00:00Z', labels: { a: 'b' } }));
    expect([put.status, put.json.metadata.creationTimestamp]).toEqual([200, made.metadata.creationTimestamp]);
    const other = await fixture.put(`${maps}/fixed`, map('fixed', { uid: 'other' }));
    expect([other.status, other.json.reason]).toEqual([409, 'Conflict']);
  });

  test('an update that changes nothing has no new version', async () => {
    const before = (await fixture.get(`${maps}/here`)).json;
    const put = await fixture.put(`${maps}/here`, before);
    expect(put.json).toEqual(before);
    expect((await fixture.patch('merge', `${maps}/here`, {})).json).toEqual(before);
  });
});
