import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

describe('OPTIONS', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test.each([
    ['/api/v1/namespaces/default/pods', 'DELETE, GET, POST'],
    ['/api/v1/pods', 'GET'],
    ['/api/v1/namespaces/default/pods/p', 'DELETE, GET, PATCH, PUT'],
    ['/api/v1/namespaces/default/pods/p/status', 'GET, PATCH, PUT'],
    ['/apis/apps/v1/namespaces/default/deployments/d/scale', 'GET, PATCH, PUT'],
    ['/api/v1/namespaces', 'GET, POST'],
    ['/apis/authorization.k8s.io/v1/subjectaccessreviews', 'POST'],
  ])('%s is 204 with Allow: %s', async (path, allow) => {
    const response = await fixture.http.send('OPTIONS', path);
    expect([response.status, response.headers.allow, response.body.length]).toEqual([204, allow, 0]);
  });

  test('is NotFound for a resource that is not served', async () => {
    expect((await fixture.http.send('OPTIONS', '/api/v1/namespaces/default/nothings')).status).toBe(404);
  });
});
