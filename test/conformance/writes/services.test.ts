import { expect, test } from '@jest/globals';
import type { TestObject } from '../../support/test-object.ts';
import { TestServer } from '../../support/test-server.ts';

const server = TestServer.forSuite();

const path = '/api/v1/namespaces/default/services';
const clusterIP = '10.96.5.5';
const spec = { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort: 30123 }] };
const service = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ...spec, ...more },
});

async function send(method: string, to: string, object: object, type = 'application/json'): Promise<TestObject> {
  return (await server.http.send(method, to, JSON.stringify(object), type)).json;
}
const create = (object: object) => send('POST', path, object);
const merge = (name: string, object: object) => send('PATCH', `${path}/${name}`, object, 'application/merge-patch+json');
const invalid = { sessionAffinity: 'x' };

const dynamic = { clusterIP: undefined, type: 'ClusterIP', ports: [{ port: 80 }] };

test.each<[string, () => Promise<TestObject>, number]>([
  ['a rule refuses', () => create(service('a', invalid)), 422],
  ['another port is refused', () => create(service('a', { ports: [...spec.ports, { name: 'b', port: 1, nodePort: 9 }] })), 422],
  ['the name is taken', () => create(service('kubernetes')), 409],
  ['a rule refuses the PUT that creates it', () => send('PUT', `${path}/a`, service('a', invalid)), 422],
  ['an update is refused', () => merge('old', { spec: { ...spec, clusterIP: undefined, ...invalid } }), 422],
  [
    'an update has an old version',
    () => merge('old', { metadata: { resourceVersion: '1' }, spec: { ...spec, clusterIP: undefined } }),
    409,
  ],
  ['an update that gets an address is refused', () => merge('external', { spec: { ...spec, ...invalid } }), 422],
])('the address and the node port of a service are given back when %s', async (_title, refused, code) => {
  await create(service('old', dynamic));
  await create(service('external', { ...dynamic, type: 'ExternalName', externalName: 'a.b' }));
  expect(await refused()).toMatchObject({ code });
  expect(await create(service('next'))).toMatchObject({ spec });
  for (const name of ['old', 'external', 'next']) await server.http.send('DELETE', `${path}/${name}`);
});
