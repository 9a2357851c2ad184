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
  });
  afterAll(() => fixture.close());

  const unreachable = [500, 'InternalError', 'Internal error occurred: error dialing backend: no connection to node "n"'];

  test.each([
    ['POST', `${root}/pods/placed/exec?command=ls`],
    ['GET', `${root}/pods/placed/exec?command=ls`],
    ['POST', `${root}/pods/placed/attach`],
    ['POST', `${root}/pods/placed/portforward`],
    ['GET', `${root}/pods/placed/log`],
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
  ])('%s of a pod without a node is a bad request', async (subresource, message) => {
    const { json } = await fixture.http.send('POST', `${root}/pods/waiting/${subresource}`);
    expect([json.code, json.reason, json.message]).toEqual([400, 'BadRequest', message]);
  });

  test.each(['pods/absent/exec', 'pods/absent/log'])('%s is not found', async (path) => {
    const { json } = await fixture.get(`${root}/${path}`);
    expect([json.code, json.reason, json.details.name]).toEqual([404, 'NotFound', 'absent']);
  });

  test.each([
    ['PUT', 'pods/placed/exec', 405],
    ['DELETE', 'pods/placed/portforward', 405],
    ['POST', 'pods/placed/log', 405],
    ['TRACE', 'pods/placed/proxy', 405],
  ])('%s %s has no route', async (method, path, code) => {
    expect((await fixture.http.send(method, `${root}/${path}`)).status).toBe(code);
  });

  test('who may only get exec may not connect', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get'] }];
    await fixture.create(`${rbac}/roles`, { metadata: { name: 'exec' }, rules });
    await fixture.create(`${rbac}/rolebindings`, {
      metadata: { name: 'exec' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'exec' },
    });
    const headers = { 'impersonate-user': 'jane' };
    const { json } = await fixture.http.get(`${root}/pods/placed/exec?command=ls`, { headers });
    expect([json.code, json.message]).toEqual([403, 'pods "placed" is forbidden: ']);
  });
});
