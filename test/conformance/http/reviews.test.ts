import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

describe('reviews', () => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test.each([
    ['authorization.k8s.io', 'selfsubjectaccessreviews', { resourceAttributes: { verb: 'get', resource: 'pods' } }],
    ['authentication.k8s.io', 'tokenreviews', { token: 'x' }],
  ])('%s %s have managed fields, as created objects do', async (group, plural, spec) => {
    const path = `/apis/${group}/v1/${plural}?fieldManager=asker`;
    const { status, json } = await fixture.create(path, { spec });
    expect(status).toBe(201);
    expect(json.metadata).toEqual({
      managedFields: [
        {
          manager: 'asker',
          operation: 'Update',
          apiVersion: `${group}/v1`,
          time: expect.stringMatching(/Z$/),
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': expect.anything() },
        },
      ],
    });
    expect(json.spec).toEqual(spec);
  });

  test('a SelfSubjectRulesReview is answered by its status alone', async () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews?fieldManager=asker';
    const { status, json } = await fixture.create(path, { spec: { namespace: 'default' } });
    expect(status).toBe(201);
    expect([json.metadata, json.spec]).toEqual([{}, {}]);
    expect(json.status.resourceRules).not.toEqual([]);
  });

  test('a SelfSubjectReview has a creation time', async () => {
    const { status, json } = await fixture.create('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      metadata: { labels: { a: 'b' } },
    });
    expect(status).toBe(201);
    expect(json.metadata).toEqual({ creationTimestamp: expect.stringMatching(/^[0-9-]+T[0-9:]+Z$/) });
    expect(json.status.userInfo.username).toBe('kubernetes-admin');
  });
});
