import { beforeAll, expect, test } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const server = TestServer.forSuite();
const claims = (namespace: string): string => `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
const send = (method: string, path: string, object: object): Promise<HttpResponse> =>
  server.http.send(method, path, JSON.stringify(object), 'application/json');

beforeAll(async () => {
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'admin', labels } });
});

test.each([
  ['default', 422],
  ['admin', 201],
])('claims of devices for administrators, and their allocation, in the namespace %s', async (namespace, status) => {
  const request = (adminAccess: boolean): object => ({
    metadata: { name: `c-${adminAccess}` },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', adminAccess } }] } },
  });
  expect((await send('POST', claims(namespace), request(true))).status).toBe(status);
  const { json } = await send('POST', claims(namespace), request(false));
  const result = { request: 'r', driver: 'd', pool: 'p', device: 'x', adminAccess: true };
  const allocated = { ...json, status: { allocation: { devices: { results: [result] } } } };
  const answer = await send('PUT', `${claims(namespace)}/c-false/status`, allocated);
  expect(answer.status).toBe(status === 201 ? 200 : status);
});
