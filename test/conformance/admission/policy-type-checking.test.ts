import { describe, expect, test } from '@jest/globals';
import { DefinitionFixture, freshGroup, version } from '../custom-resources/definition-fixture.ts';
import { Policies, rule } from './policies.ts';

const suite = DefinitionFixture.forSuite();
const policies = new Policies(() => suite.fixture.client);
const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

/** Waits for a policy's type check. Returns its warnings by field. */
async function warningsOf(spec: object): Promise<Record<string, string>> {
  const name = await policies.validating(await policies.namespace(), spec);
  const { status } = await suite.until(`${path}/${name}`, (policy) => policy.status?.observedGeneration === 1);
  const { expressionWarnings = [] } = status.typeChecking;
  return Object.fromEntries(expressionWarnings.map(({ fieldRef, warning }: Record<string, string>) => [fieldRef, warning]));
}

const about = (...rules: object[]) => ({ matchConstraints: { resourceRules: rules } });
const deployments = rule('apps', 'deployments');
const at = (index: number, member = 'expression'): string => `spec.validations[${index}].${member}`;

describe('the types of a policy are checked', () => {
  test('by the schemas of built-in kinds, for each kind that rules name', async () => {
    const warnings = await warningsOf({
      ...about(rule('apps', 'statefulsets'), deployments),
      variables: [{ name: 'replicas', expression: 'object.spec.replicas' }],
      validations: [
        {
          expression: 'object.spec.replicas > 1 && object.metadata.labels.size() > 0',
          messageExpression: 'string(object.spec.no)',
        },
        { expression: "object.spec.replicas == 'three'" },
        { expression: "variables.replicas == 'three'" },
        { expression: "object.spec.template.spec.containers.all(c, c.imagePullPolicy == 'Always' && c.nothing)" },
      ],
    });
    expect(Object.keys(warnings)).toEqual([at(0, 'messageExpression'), at(1), at(2), at(3)]);
    expect(warnings[at(0, 'messageExpression')]).toMatch(
      /^apps\/v1, Kind=Deployment: ERROR: <input>:1:19: undefined field 'no'\n[\s\S]*\n\napps\/v1, Kind=StatefulSet: ERROR: /,
    );
    expect(warnings[at(1)]).toContain("found no matching overload for '_==_' applied to '(int, string)'");
    expect(warnings[at(2)]).toContain("found no matching overload for '_==_' applied to '(int, string)'");
    expect(warnings[at(3)]).toContain("undefined field 'nothing'");
  });

  test('by the schemas of custom kinds, those of parameters too', async () => {
    const group = freshGroup();
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              size: { type: 'integer' },
              tree: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
              port: { 'x-kubernetes-int-or-string': true },
            },
          },
        },
      },
    };
    await suite.define({ group, kind: 'Box', versions: [version('v1', { schema })] });
    const warnings = await warningsOf({
      ...about(rule(group, 'boxes', { resources: ['boxs'] })),
      paramKind: { apiVersion: `${group}/v1`, kind: 'Box' },
      validations: [
        {
          expression: "object.spec.size <= params.spec.size && object.spec.tree['a'][0] == 'x' && object.spec.port == 1",
        },
        { expression: 'params.spec.length == 1' },
        { expression: "object.spec.tree['a'] == 'x'" },
      ],
    });
    expect(Object.keys(warnings)).toEqual([at(1), at(2)]);
    expect(warnings[at(1)]).toContain("undefined field 'length'");
  });

  test('and the check is repeated for each generation', async () => {
    const name = await policies.validating(await policies.namespace(), {
      ...about(deployments),
      validations: [{ expression: 'object.wrong == 1' }],
    });
    const first = await suite.until(`${path}/${name}`, (policy) => policy.status?.observedGeneration === 1);
    expect(first.status.typeChecking.expressionWarnings).toHaveLength(1);
    await suite.merge(`${path}/${name}`, { spec: { validations: [{ expression: 'object.spec.replicas == 1' }] } });
    const second = await suite.until(`${path}/${name}`, (policy) => policy.status?.observedGeneration === 2);
    expect(second.status.typeChecking?.expressionWarnings).toBeUndefined();
    expect(second.metadata.managedFields).toContainEqual(
      expect.objectContaining({
        manager: 'validatingadmissionpolicy-status-controller',
        operation: 'Apply',
        subresource: 'status',
      }),
    );
  });

  test.each([
    ['wildcards', about(rule('*', 'deployments'), rule('apps', '*'))],
    ['kinds that are not served', about(rule('none.example.com', 'things'))],
  ])('but not for %s', async (_, constraints) => {
    expect(await warningsOf({ ...constraints, validations: [{ expression: 'object.wrong == 1' }] })).toEqual({});
  });
});
