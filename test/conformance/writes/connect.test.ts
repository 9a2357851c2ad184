import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const root = '/api/v1/namespaces/default';
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('connecting to a node that cannot be reached', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    await fixture.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    await fixture.create(`${root}/pods`, pod('placed', { nodeName: 'n' }));
    await fixture.create(`${root}/pods`, pod('waiting'));
    const spec = { ports: [{ port: 80 }] };
    await fixture.create(`${root}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec });
  });
  afterAll(() => fixture.close());

  const unreachable = [
    500,
    'InternalError',
    'Internal error occurred: error dialing backend: no connection to node "n"',
  ];

  test.each([
    ['POST', `${root}/pods/placed/exec?command=ls`],
    ['GET', `${root}/pods/placed/exec?command=ls`],
    ['POST', `${root}/pods/placed/attach`],
    ['POST', `${root}/pods/placed/portforward`],
    ['GET', `${root}/pods/placed/log`],
    ['GET', `${root}/pods/placed/proxy`],
    ['GET', `${root}/pods/http:placed:80/proxy/a/b`],
    ['POST', `${root}/pods/placed/proxy/a`],
    ['GET', '/api/v1/nodes/n/proxy'],
    ['GET', '/api/v1/nodes/n:10250/proxy/logs/'],
  ])('%s %s: the backend did not respond', async (method, path) => {
    const { json } = await fixture.http.send(method, path);
    expect([json.code, json.reason, json.message]).toEqual(unreachable);
    expect(json).toMatchObject({ kind: 'Status', status: 'Failure' });
  });

  test.each([
    ['exec', 'pod waiting does not have a host assigned'],
    ['attach', 'pod waiting does not have a host assigned'],
    ['portforward', 'pod waiting does not have a host assigned'],
    ['proxy', 'address not allowed'],
  ])('%s of a pod without a node is a bad request', async (subresource, message) => {
    const { json } = await fixture.http.send('POST', `${root}/pods/waiting/${subresource}`);
    expect([json.code, json.reason, json.message]).toEqual([400, 'BadRequest', message]);
  });

  test('a service has no endpoints', async () => {
    const { json } = await fixture.get(`${root}/services/http:s:80/proxy/a`);
    expect([json.code, json.reason, json.message]).toEqual([
      503,
      'ServiceUnavailable',
      'no endpoints available for service "http:s:80"',
    ]);
  });

  test.each(['pods/absent/exec', 'pods/absent/log', 'services/absent/proxy'])('%s is not found', async (path) => {
    const { json } = await fixture.get(`${root}/${path}`);
    expect([json.code, json.reason, json.details.name]).toEqual([404, 'NotFound', 'absent']);
  });
});
