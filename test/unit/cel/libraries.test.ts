import { describe, expect, test } from '@jest/globals';
import { compileExpression, createEnvironment } from '../../../runtime/cel/expression.ts';
import { type AuthorizationQuery, authorizerType, authorizerValue } from '../../../runtime/cel/library/authorizer.ts';
import { Double, isError, type Value } from '../../../runtime/cel/values/value.ts';
import { libraryCases } from './tables/library-cases.ts';

const environment = createEnvironment({ variables: { authorizer: authorizerType } });

function evaluate(expression: string, variables: Record<string, Value> = {}): Value {
  const compiled = compileExpression(expression, environment, { skipLiteralChecks: true });
  if (!compiled.program) throw new Error(compiled.issues ?? compiled.failure);
  return compiled.program.evaluate(variables).value;
}

describe("Kubernetes' libraries", () => {
  test.each(libraryCases)('%s', (expression, gives, what) => {
    if (gives === 'rejected') {
      expect(() => evaluate(expression)).toThrow(String(what));
      return;
    }
    const value = evaluate(expression);
    if (gives === 'value') expect(value).toBe(what);
    else expect(isError(value) ? value.message : value).toContain(what);
  });

  test.each<[string, boolean]>([
    ["url('https://user@example.com:80/a%20b?x=1&x=2#f').getHost() == 'example.com:80'", true],
    ["url('https://example.com:80/').getHostname() == 'example.com'", true],
    ["url('https://[::1]:80/').getHostname() == '::1'", true],
    ["url('https://example.com:80/').getPort() == '80'", true],
    ["url('https://example.com/').getPort() == ''", true],
    ["url('/a b').getEscapedPath() == '/a%20b'", true],
    ["url('https://example.com/?k=a&k=b').getQuery() == {'k': ['a', 'b']}", true],
    ["isURL('../a')", false],
    ["isURL('https://a:b:c/')", false],
    ["isURL('/absolute')", true],
    ["'abc123def'.find('[0-9]+') == '123'", true],
    ["'1a2b3'.findAll('[0-9]', 2) == ['1', '2']", true],
    ["'a.b.c'.split('.', 2) == ['a', 'b.c']", true],
    ["'%s %d %.2f'.format(['a', 1, 2.5]) == 'a 1 2.50'", true],
    ["'%.1f'.format([12345.67]) == '12,345.7'", true],
    ['[3, 1, 2].sortBy(x, -x) == [3, 2, 1]', true],
    ["{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", true],
    ["['a', 'b'].transformList(i, v, string(i) + v) == ['0a', '1b']", true],
    ['optional.of(2).optMap(x, x * 2).value() == 4', true],
    ['[1, 2][?5].orValue(7) == 7', true],
    ["quantity('1.5').add(quantity('500m')).isInteger()", true],
    ["quantity('1.5Gi').asApproximateFloat() == 1610612736.0", true],
    ["semver('v1.2', true).minor() == 2", true],
    ['sets.equivalent([1, 2], [2, 1, 1])', true],
  ])('%s is %s', (expression, want) => {
    expect(evaluate(expression)).toBe(want);
  });
});

describe('the authorizer', () => {
  test('gets the attributes that the expression names', () => {
    const asked: AuthorizationQuery[] = [];
    const authorizer = authorizerValue({
      authorize(query) {
        asked.push(query);
        return { allowed: false, reason: 'because' };
      },
    });
    const chain = "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').namespace('n').name('d')";
    expect(evaluate(`${chain}.check('get').reason()`, { authorizer })).toBe('because');
    expect(evaluate("authorizer.path('/healthz').check('get').allowed()", { authorizer })).toBe(false);
    const serviceAccount = { namespace: 'ns', name: 'sa' };
    expect(asked).toEqual([
      { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'n', name: 'd', serviceAccount },
      { verb: 'get', path: '/healthz' },
    ]);
  });
});

describe('numbers', () => {
  test.each<[string, Value | string]>([
    ['9007199254740991 + 1', 9007199254740992n],
    ['9223372036854775807 + 1', 'integer overflow'],
    ['-9223372036854775808 - 1', 'integer overflow'],
    ['9007199254740993 * 3 - 9007199254740993 * 3', 0],
    ['-7 / 2', -3],
    ['-7 % 2', -1],
    ['0 * -1', 0],
    ['1u - 2u', 'unsigned integer overflow'],
    ['1 / 0', 'division by zero'],
    ['int(1.9)', 1],
    ["double('1e3')", new Double(1000)],
    ['string(1000000.0)', '1e+06'],
    ['string(0.1 + 0.2)', '0.30000000000000004'],
  ])('%s', (expression, want) => {
    let value: Value | string;
    try {
      value = evaluate(expression);
    } catch (error) {
      value = (error as Error).message;
    }
    expect(typeof value === 'object' && value !== null && isError(value) ? value.message : value).toEqual(want);
  });
});
