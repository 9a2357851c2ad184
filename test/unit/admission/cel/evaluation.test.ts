import { describe, expect, test } from '@jest/globals';
import { Activation } from '../../../../runtime/admission/cel/activation.ts';
import { Decisions } from '../../../../runtime/admission/cel/decisions.ts';
import { evaluate } from '../../../../runtime/admission/cel/evaluation.ts';
import { retryWhenArrived } from '../../../../runtime/admission/retry-when-arrived.ts';
import type { AuthorizerAttributes, AuthorizerDecision } from '../../../../runtime/authorization/authorizer.ts';
import { CompositionEnvironment } from '../../../../runtime/cel/admission/composition.ts';
import { AdmissionExpression } from '../../../../runtime/cel/admission/expression.ts';
import { boolType, dynType, nullType, stringType } from '../../../../runtime/cel/types/type.ts';
import { alice, inputsOf, params } from './inputs.ts';

const optional = { params: true, authorizer: true };
const deployment = { metadata: { name: 'web', labels: { app: 'x' } }, spec: { replicas: 7 } };
const namespaceObject = { metadata: { name: 'ns', labels: { env: 'prod' } }, status: { phase: 'Active' } };

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly budget?: number;
}

function run(texts: readonly string[], given: Given = {}, inputs = inputsOf(deployment)) {
  const variables = Object.entries(given.variables ?? {}).map(([name, expression]) => ({ name, expression }));
  const composition = new CompositionEnvironment(variables, optional);
  const expressions = texts.map((text) => new AdmissionExpression(text, [dynType], () => composition.of(optional)));
  return evaluate(expressions, new Activation(inputs, composition.variables), given.budget ?? 10_000_000);
}

const resultOf = (text: string, given?: Given, inputs = inputsOf(deployment)) => {
  const [{ value, error }] = run([text], given, inputs).results;
  return error ?? value;
};

describe('expressions about a write', () => {
  test.each([
    ["object.metadata.name == 'web' && oldObject == null", true],
    ['object.spec.replicas + 1', 8],
    ["request.operation + ' ' + request.kind.kind + ' ' + request.requestResource.resource", 'CREATE Deployment deployments'],
    ["request.userInfo.username + request.userInfo.groups[0] + request.userInfo.extra['scope'][1]", 'alicedevb'],
    ['request.name + request.namespace + request.options.fieldManager', 'webnsme'],
    ['has(request.subResource) || request.dryRun', false],
    ["namespaceObject.metadata.labels.env + ' ' + namespaceObject.status.phase", 'prod Active'],
    ["params.data['max'] + params.kind", '3ConfigMap'],
    ['object.spec.absent', "expression 'object.spec.absent' resulted in error: no such key: absent"],
    [
      'request.object == null',
      expect.stringContaining("compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'object'"),
    ],
  ])('%s', (text, want) => {
    expect(resultOf(text, {}, inputsOf(deployment, { namespaceObject: () => namespaceObject, params: params({ max: '3' }) }))).toEqual(
      want,
    );
  });

  test.each([
    ['1', [boolType], 'must evaluate to bool but got int'],
    ['object.x', [stringType, nullType], 'must evaluate to one of [string null_type] but got dyn'],
    ["duration('1s')", [stringType], 'must evaluate to string but got google.protobuf.Duration'],
    ['params', [dynType], expect.stringContaining("undeclared reference to 'params' (in container '')")],
  ])('%s of another type than it must have does not compile', (text, types, want) => {
    const { error } = new AdmissionExpression(text, types, () => new CompositionEnvironment([], {}).of({})).result;
    expect(error?.detail).toEqual(want);
  });
});

describe('variables of a policy', () => {
  test.each([
    ['variables.a + variables.b', { a: '1', b: 'variables.a + 1' }, 3],
    ['variables.list.all(x, x.startsWith("a"))', { list: '["ab", "ac"]' }, true],
    [
      'variables.unused',
      { unused: 'object.no' },
      `expression 'variables.unused' resulted in error: composited variable "unused" fails to evaluate: no such key: no`,
    ],
    [
      'variables.broken',
      { broken: '1 +' },
      expect.stringContaining('composited variable "broken" fails to compile: compilation failed: ERROR'),
    ],
    ['variables.first', { first: 'variables.second', second: '1' }, expect.stringContaining("undefined field 'second'")],
    ['variables.a.size()', { a: '1' }, expect.stringContaining("found no matching overload for 'size' applied to 'int.()'")],
    ['variables.none', {}, expect.stringContaining("undefined field 'none'")],
  ])('%s', (text, variables, want) => {
    expect(resultOf(text, { variables })).toEqual(want);
  });

  test('are evaluated once, when they are first read, and cost then', () => {
    const costOf = (...texts: string[]): number =>
      10_000 - run(texts, { variables: { big: '[1,2,3].map(x, x * 2)' }, budget: 10_000 }).remaining;
    expect(costOf('true')).toBe(0);
    const [once, twice] = [costOf('variables.big'), costOf('variables.big', 'variables.big')];
    expect(twice - once).toBe(2);
    expect(once).toBeGreaterThan(10);
  });
});

describe('the cost of expressions', () => {
  test('is limited for all of them together', () => {
    expect(() => run(['[1,2].all(x, x > 0)', '[1,2].all(x, x > 0)'], { budget: 12 })).toThrow(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  test('is limited for each of them', () => {
    const ten = '[0,1,2,3,4,5,6,7,8,9]';
    const nested = [...'abcdef'].reduceRight((inner, name) => `${ten}.all(${name}, ${inner})`, 'a + b >= 0');
    expect(resultOf(nested)).toBe(`expression '${nested}' resulted in error: operation cancelled: actual cost limit exceeded`);
  });
});

describe('authorizer', () => {
  const allow = (asked: AuthorizerAttributes[], decide: (user: string) => AuthorizerDecision) => ({
    authorize: (attributes: AuthorizerAttributes) => {
      asked.push(attributes);
      return decide(attributes.user.name);
    },
  });

  test('checks what the expression asks, once for each question', () => {
    const asked: AuthorizerAttributes[] = [];
    const authorizer = new Decisions(
      alice,
      allow(asked, () => ({ decision: 'allow', reason: 'role' })),
    );
    const check = "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('x').check('get')";
    const results = run(
      [`${check}.allowed()`, `${check}.reason()`, "authorizer.path('/healthz').check('get').allowed()"],
      {},
      inputsOf(deployment, { authorizer }),
    ).results;
    expect(results.map(({ value }) => value)).toEqual([true, 'role', true]);
    expect(asked).toMatchObject([
      {
        user: alice,
        verb: 'get',
        isResourceRequest: true,
        group: 'apps',
        version: '*',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'n',
        name: 'x',
      },
      { path: '/healthz', verb: 'get', isResourceRequest: false },
    ]);
  });

  test('is waited for, and a failure is a decision too', async () => {
    const asked: AuthorizerAttributes[] = [];
    const authorizer = new Decisions(alice, {
      authorize: async (attributes) => {
        asked.push(attributes);
        if (attributes.verb === 'delete') throw new Error('no answer');
        return { decision: 'no-opinion', reason: 'unknown' };
      },
    });
    const inputs = inputsOf(deployment, { authorizer });
    const text = (verb: string) => `authorizer.serviceAccount('ns', 'sa').group('').resource('pods').check('${verb}')`;
    const texts = [
      `${text('get')}.allowed()`,
      `${text('get')}.errored()`,
      `${text('delete')}.error()`,
      "authorizer.requestResource.check('update').allowed()",
    ];
    const { results } = await retryWhenArrived(() => run(texts, {}, inputs));
    expect(results.map(({ value }) => value)).toEqual([false, false, 'no answer', false]);
    expect(asked.map(({ user, verb, resource, name }) => [user.name, verb, resource, name])).toEqual([
      ['system:serviceaccount:ns:sa', 'get', 'pods', ''],
      ['system:serviceaccount:ns:sa', 'delete', 'pods', ''],
      ['alice', 'update', 'deployments', 'web'],
    ]);
  });
});
