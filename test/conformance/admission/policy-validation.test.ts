import { describe, expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';
import { apply, jsonPatch, Policies, rule } from './policies.ts';

const suite = TestServer.forSuite();
const policies = new Policies(() => suite.http);
const group = '/apis/admissionregistration.k8s.io';

const constraints = { resourceRules: [rule('', 'pods')] };
const valid = { matchConstraints: constraints, validations: [{ expression: 'true' }] };
const mutates = { matchConstraints: constraints, mutations: [apply('Object{}')], reinvocationPolicy: 'Never' };
const expression = (text: string) => ({ validations: [{ expression: text }] });
const rules = (more: object) => ({ matchConstraints: { resourceRules: [rule('', 'pods', more)] } });

/** Returns the causes of an invalid object's refusal, as "field: message". */
async function problems(path: string, spec: object): Promise<string[]> {
  const { json } = await policies.post(`${group}/${path}`, { metadata: { name: 'x' }, spec });
  return (json.details?.causes ?? []).map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
}

const unsupported = (value: string, ...supported: string[]): string =>
  `Unsupported value: "${value}": supported values: ${supported.map((one) => `"${one}"`).join(', ')}`;

describe('the validation of a ValidatingAdmissionPolicy', () => {
  test.each([
    [
      'nothing at all',
      {},
      [
        'spec.matchConstraints: Required value',
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    ['a failure policy', { ...valid, failurePolicy: 'Maybe' }, [`spec.failurePolicy: ${unsupported('Maybe', 'Fail', 'Ignore')}`]],
    [
      'a param kind',
      { ...valid, paramKind: { apiVersion: 'a/b/c', kind: 'no_kind' } },
      [
        'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        expect.stringMatching(
          /^spec\.paramKind\.kind: Invalid value: "no_kind": may have mixed case, but should otherwise match: a DNS-1035 label/,
        ),
      ],
    ],
    ['no rules', { ...valid, matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      'operations',
      { ...valid, ...rules({ operations: ['*', 'READ'] }) },
      [
        `spec.matchConstraints.resourceRules[0].operations: Invalid value: ["*","READ"]: if '*' is present, must not specify other operations`,
        `spec.matchConstraints.resourceRules[0].operations[1]: ${unsupported('READ', '*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE')}`,
      ],
    ],
    [
      'resources',
      { ...valid, ...rules({ resources: ['pods/*', 'pods/status'] }) },
      [
        `spec.matchConstraints.resourceRules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`,
      ],
    ],
    [
      'names of resources',
      { ...valid, ...rules({ resourceNames: ['a', 'a', 'b/c'] }) },
      [
        'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
        `spec.matchConstraints.resourceRules[0].resourceNames[2]: Invalid value: "b/c": may not contain '/'`,
      ],
    ],
    [
      'match conditions',
      {
        ...valid,
        matchConditions: [
          { name: 'a b', expression: '1' },
          { name: 'c', expression: 'variables.x' },
        ],
      },
      [
        'spec.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
        expect.stringMatching(/^spec\.matchConditions\[0\]\.name: Invalid value: "a b": name part must consist of/),
        expect.stringContaining("undeclared reference to 'variables' (in container '')"),
      ],
    ],
    [
      'too many match conditions',
      { ...valid, matchConditions: Array.from({ length: 65 }, (_, at) => ({ name: `c${at}`, expression: 'true' })) },
      ['spec.matchConditions: Too many: 65: must have at most 64 items'],
    ],
    [
      'an expression that does not parse',
      { ...valid, ...expression('1 +') },
      [
        expect.stringMatching(
          /^spec\.validations\[0\]\.expression: Invalid value: "1 \+": compilation failed: ERROR: <input>:1:4: Syntax error/,
        ),
      ],
    ],
    [
      'an expression of the wrong type',
      { ...valid, ...expression("'a'") },
      [`spec.validations[0].expression: Invalid value: "'a'": must evaluate to bool but got string`],
    ],
    [
      'an expression on parameters that there are not',
      { ...valid, ...expression('params == null') },
      [expect.stringContaining("undeclared reference to 'params'")],
    ],
    [
      'variables',
      {
        ...valid,
        variables: [
          { name: 'for', expression: '1' },
          { name: 'b', expression: 'variables.c' },
          { name: 'c', expression: '' },
        ],
      },
      [
        'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
        expect.stringContaining("undefined field 'c'"),
        'spec.variables[2].expression: Required value: expression is not specified',
      ],
    ],
    [
      'messages',
      {
        ...valid,
        validations: [
          { expression: 'true', message: 'a\nb', messageExpression: '1', reason: 'Conflict' },
          { expression: 'true', message: ' ', messageExpression: ' ' },
        ],
      },
      [
        'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        `spec.validations[0].reason: ${unsupported('Conflict', 'Forbidden', 'Invalid', 'RequestEntityTooLarge')}`,
        'spec.validations[1].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[1].message: Invalid value: " ": must be non-empty if specified',
      ],
    ],
    [
      'messages that ask the authorizer',
      {
        ...valid,
        validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }],
      },
      [expect.stringContaining("undeclared reference to 'authorizer'")],
    ],
    [
      'audit annotations',
      {
        ...valid,
        auditAnnotations: [
          { key: 'a b', valueExpression: '1' },
          { key: 'c', valueExpression: '' },
          { key: 'c', valueExpression: `'${'x'.repeat(6000)}'` },
        ],
      },
      [
        expect.stringMatching(/^spec\.auditAnnotations\[0\]\.key: Invalid value: "x\/a b": name part must consist of/),
        'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
        'spec.auditAnnotations[1].valueExpression: Required value: valueExpression is not specified',
        'spec.auditAnnotations[2].valueExpression: Required value: must not exceed 5120 bytes in length',
        'spec.auditAnnotations[2].key: Duplicate value: "c"',
      ],
    ],
    [
      'too many audit annotations',
      {
        ...valid,
        auditAnnotations: Array.from({ length: 21 }, (_, at) => ({ key: `k${at}`, valueExpression: "'a'" })),
      },
      [expect.stringMatching(/^spec\.auditAnnotations: Invalid value: .*: must not have more than 20 auditAnnotations$/)],
    ],
  ])('reports %s', async (_, spec, want) => {
    expect(await problems('v1/validatingadmissionpolicies', spec)).toEqual(want);
  });
});

describe('the validation of a MutatingAdmissionPolicy', () => {
  const first = 'spec.mutations[0]';

  test.each([
    [
      'nothing at all',
      { reinvocationPolicy: 'Never' },
      ['spec.matchConstraints: Required value', 'spec.mutations: Required value: mutations must contain at least one item'],
    ],
    [
      'a reinvocation policy',
      { ...mutates, reinvocationPolicy: 'Always' },
      [`spec.reinvocationPolicy: ${unsupported('Always', 'IfNeeded', 'Never')}`],
    ],
    [
      'a patch type',
      { ...mutates, mutations: [{ patchType: 'Merge' }] },
      [`${first}.patchType: ${unsupported('Merge', 'ApplyConfiguration', 'JSONPatch')}`],
    ],
    [
      'a patch of another type',
      { ...mutates, mutations: [{ ...jsonPatch('[]'), patchType: 'ApplyConfiguration' }] },
      [
        `${first}.applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration`,
        `${first}.jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration`,
      ],
    ],
    [
      'an apply configuration of another type',
      { ...mutates, mutations: [apply('object')] },
      [`${first}.applyConfiguration.expression: Invalid value: "object": must evaluate to Object but got dyn`],
    ],
    [
      'a JSON patch of another type',
      { ...mutates, mutations: [jsonPatch('[Object{}]')] },
      [`${first}.jsonPatch.expression: Invalid value: "[Object{}]": must evaluate to list(JSONPatch) but got list(Object)`],
    ],
    [
      'a field that operations do not have',
      { ...mutates, mutations: [jsonPatch("[JSONPatch{ what: 'a' }]")] },
      [expect.stringContaining("undefined field 'what'")],
    ],
    [
      'a field of the wrong type',
      { ...mutates, mutations: [jsonPatch('[JSONPatch{ op: 1 }]')] },
      [expect.stringContaining("expected type of field 'op' is 'string' but provided type is 'int'")],
    ],
  ])('reports %s', async (_, spec, want) => {
    expect(await problems('v1beta1/mutatingadmissionpolicies', spec)).toEqual(want);
  });
});

describe('the validation of a binding', () => {
  const bind = (spec: object) => ({ policyName: 'p', validationActions: ['Deny'], ...spec });
  const paramRef = (ref: object) => bind({ paramRef: { parameterNotFoundAction: 'Deny', ...ref } });

  test.each([
    [
      'nothing at all',
      {},
      ['spec.policyName: Required value', 'spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      'actions',
      bind({ validationActions: ['Deny', 'Warn', 'Warn', 'Fail'] }),
      [
        'spec.validationActions[2]: Duplicate value: "Warn"',
        `spec.validationActions[3]: ${unsupported('Fail', 'Audit', 'Deny', 'Warn')}`,
        expect.stringMatching(/^spec\.validationActions: Invalid value: .*: must not contain both Deny and Warn \(repeating/),
      ],
    ],
    ['a reference to nothing', paramRef({}), ['spec.paramRef: Required value: one of name or selector must be specified']],
    [
      'a reference by name and selector',
      paramRef({ name: 'a', selector: {} }),
      [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    ],
    ['what happens without parameters', bind({ paramRef: { name: 'a' } }), ['spec.paramRef.parameterNotFoundAction: Required value']],
    [
      'resources',
      bind({ matchResources: { resourceRules: [rule('', '')] } }),
      ['spec.matchResources.resourceRules[0].resources[0]: Required value'],
    ],
  ])('reports %s', async (_, spec, want) => {
    expect(await problems('v1/validatingadmissionpolicybindings', spec)).toEqual(want);
  });
});
