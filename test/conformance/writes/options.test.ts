import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

describe('OPTIONS', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test.each([
    '/api/v1/namespaces/default/pods',
    '/api/v1/namespaces//pods',
    '/api/v1/pods',
    '/api/v1/namespaces/default/pods/p',
    '/api/v1/namespaces/default/pods/p/status',
    '/api/v1/namespaces/default/pods/p/log',
    '/apis/apps/v1/namespaces/default/deployments/d/scale',
    '/api/v1/namespaces',
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  ])('is no method of %s', async (path) => {
    const { status, json, headers } = await fixture.http.send('OPTIONS', path);
    expect([status, json.message, headers.allow]).toEqual([
      405,
      'the server does not allow this method on the requested resource',
      undefined,
    ]);
  });

  test('is NotFound for a resource that is not served', async () => {
    expect((await fixture.http.send('OPTIONS', '/api/v1/namespaces/default/nothings')).status).toBe(404);
  });
});
