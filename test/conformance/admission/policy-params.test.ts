import { describe, expect, test } from '@jest/globals';
import { DefinitionFixture, freshGroup, version } from '../custom-resources/definition-fixture.ts';
import { denied, messageOf, Policies, rule } from './policies.ts';

const suite = DefinitionFixture.forSuite();
const policies = new Policies(() => suite.fixture.client);

describe('parameters of a policy', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const validations = [
    {
      expression: 'params == null || object.data.color == params.data.color',
      messageExpression: "'wants ' + params.data.color",
    },
  ];
  // parameters are ConfigMaps, which the policy must not match
  const guarded = (namespace: string) => ({
    matchConstraints: {
      resourceRules: [rule('', 'configmaps')],
      objectSelector: { matchLabels: { guarded: 'yes' } },
      namespaceSelector: { matchLabels: { own: namespace } },
    },
  });
  const create = (namespace: string, color: string) =>
    policies.createConfigMap(namespace, { color }, { metadata: { generateName: 'x-', labels: { guarded: 'yes' } } });
  const param = (namespace: string, color: string) =>
    policies.createConfigMap(namespace, { color }, { metadata: { name: `wants-${color}`, labels: { param: 'yes' } } });

  test('are found by name, and their change counts at once', async () => {
    const namespace = await policies.namespace();
    await param(namespace, 'red');
    const policy = await policies.validating(
      namespace,
      { ...guarded(namespace), paramKind, validations },
      { paramRef: { name: 'wants-red', parameterNotFoundAction: 'Deny' } },
    );
    expect((await create(namespace, 'red')).status).toBe(201);
    expect(messageOf(await create(namespace, 'blue'))).toBe(denied(policy, 'wants red'));
    await suite.merge(`/api/v1/namespaces/${namespace}/configmaps/wants-red`, { data: { color: 'blue' } });
    expect((await create(namespace, 'blue')).status).toBe(201);
  });

  test('are all those that a selector selects, in the namespace of the binding', async () => {
    const [namespace, other] = [await policies.namespace(), await policies.namespace()];
    await param(other, 'red');
    const paramRef = { selector: { matchLabels: { param: 'yes' } }, namespace: other, parameterNotFoundAction: 'Deny' };
    const policy = await policies.validating(namespace, { ...guarded(namespace), paramKind, validations }, { paramRef });
    expect((await create(namespace, 'red')).status).toBe(201);
    await param(other, 'blue');
    expect(messageOf(await create(namespace, 'red'))).toBe(denied(policy, 'wants blue'));
  });

  test.each([
    ['Allow', 201, undefined],
    ['Deny', 422, 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'],
  ])('that are absent follow parameterNotFoundAction %s', async (parameterNotFoundAction, code, want) => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(
      namespace,
      { ...guarded(namespace), paramKind, validations },
      { paramRef: { name: 'absent', parameterNotFoundAction } },
    );
    const response = await create(namespace, 'red');
    expect([response.status, messageOf(response)]).toEqual([code, want && denied(policy, want)]);
  });

  test('are null for a binding that refers to none', async () => {
    const namespace = await policies.namespace();
    await policies.validating(namespace, { ...guarded(namespace), paramKind, validations });
    expect((await create(namespace, 'red')).status).toBe(201);
  });

  test('need a namespace, if the object has none', async () => {
    const name = await policies.namespace();
    const policy = await policies.validating(
      name,
      {
        matchConstraints: {
          resourceRules: [rule('scheduling.k8s.io', 'priorityclasses')],
          objectSelector: { matchLabels: { own: name } },
        },
        paramKind,
        validations: [{ expression: 'true' }],
      },
      { paramRef: { name: 'x', parameterNotFoundAction: 'Allow' } },
    );
    const response = await policies.post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name, labels: { own: name } },
      value: 1,
    });
    expect(messageOf(response)).toBe(
      denied(policy, 'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'),
    );
  });

  test('may be custom resources, as soon as and as long as they are defined', async () => {
    const namespace = await policies.namespace();
    const group = freshGroup();
    const policy = await policies.validating(
      namespace,
      {
        paramKind: { apiVersion: `${group}/v1`, kind: 'Limit' },
        validations: [{ expression: 'object.data.size() <= params.spec.max' }],
      },
      { paramRef: { name: 'one', parameterNotFoundAction: 'Deny' } },
    );
    const unknown = `failed to configure policy: failed to find resource referenced by paramKind: '${group}/v1, Kind=Limit'`;
    const isUnknown = async () => {
      for (const size of [10, 100_000]) {
        const { json } = await policies.createConfigMap(namespace, { a: 'x'.repeat(size) });
        expect(json.message).toContain(`ValidatingAdmissionPolicy '${policy}' denied request: ${unknown}`);
      }
    };
    await isUnknown();
    const versions = [version('v1', { schema: limitSchema })];
    const crd = await suite.define({ group, kind: 'Limit', scope: 'Cluster', versions });
    await policies.created(`/apis/${group}/v1/limits`, {
      apiVersion: `${group}/v1`,
      kind: 'Limit',
      metadata: { name: 'one' },
      spec: {},
    });
    for (const size of [10, 100_000]) {
      const text = 'x'.repeat(size);
      expect((await policies.createConfigMap(namespace, { a: text, b: text })).status).toBe(201);
      expect(messageOf(await policies.createConfigMap(namespace, { a: text, b: text, c: '' }))).toBe(
        denied(policy, 'failed expression: object.data.size() <= params.spec.max'),
      );
    }
    await suite.drop(crd);
    await isUnknown();
  });
});

const limitSchema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { max: { type: 'integer', default: 2 } } } },
  },
};
