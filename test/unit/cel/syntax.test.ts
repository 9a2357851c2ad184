import { describe, expect, test } from '@jest/globals';
import { compileExpression, createEnvironment } from '../../../runtime/cel/expression.ts';
import { intType, listOf, stringType } from '../../../runtime/cel/types/type.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';

withoutBudget();

const environment = createEnvironment({ variables: { a: intType, s: stringType, list: listOf(intType) } });
const start = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

describe('syntax errors show their position', () => {
  test.each<[string, string]>([
    ['a +', `ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting ${start}\n | a +\n | ...^`],
    ['1 + 2\n3 +', "ERROR: <input>:2:1: Syntax error: mismatched input '3' expecting <EOF>\n | 3 +\n | ^"],
    [
      'a | 1',
      "ERROR: <input>:1:3: Syntax error: token recognition error at: '| '\n | a | 1\n | ..^\n" +
        "ERROR: <input>:1:5: Syntax error: extraneous input '1' expecting <EOF>\n | a | 1\n | ....^",
    ],
    ['as', 'ERROR: <input>:1:1: reserved identifier: as\n | as\n | ^'],
    ["{'b': 1}.'b'", "ERROR: <input>:1:10: Syntax error: no viable alternative at input '.'b''\n | {'b': 1}.'b'\n | .........^"],
    ['a.true', "ERROR: <input>:1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER\n | a.true\n | ..^"],
    ['list.all(1, true)', 'ERROR: <input>:1:10: argument must be a simple name\n | list.all(1, true)\n | .........^'],
    ['has(a)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(a)\n | ....^'],
    ['99999999999999999999', 'ERROR: <input>:1:1: invalid int literal\n | 99999999999999999999\n | ^'],
    ['b', "ERROR: <input>:1:1: undeclared reference to 'b' (in container '')\n | b\n | ^"],
    ['a.b', "ERROR: <input>:1:2: type 'int' does not support field selection\n | a.b\n | .^"],
    ['a + s', "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'\n | a + s\n | ..^"],
    ['s.size(1)', "ERROR: <input>:1:7: found no matching overload for 'size' applied to 'string.(int)'\n | s.size(1)\n | ......^"],
    ['a && true', "ERROR: <input>:1:1: expected type 'bool' but found 'int'\n | a && true\n | ^"],
    ["[1, 'b']", "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, 'b']\n | ....^"],
    ["{'b': 1, 'c': 'd'}", "ERROR: <input>:1:15: expected type 'int' but found 'string'\n | {'b': 1, 'c': 'd'}\n | ..............^"],
    [
      'a.all(x, true)',
      "ERROR: <input>:1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | a.all(x, true)\n | ^",
    ],
    ["s.matches('(')", "ERROR: <input>:1:11: invalid matches argument\n | s.matches('(')\n | ..........^"],
    ["duration('1')", "ERROR: <input>:1:10: invalid duration argument\n | duration('1')\n | .........^"],
    ["timestamp('now')", "ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('now')\n | ..........^"],
    [
      "'%d'.format(['b'])",
      'ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string\n' +
        " | '%d'.format(['b'])\n | .............^",
    ],
    ["'é' + 1", "ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'\n | 'é' + 1\n | .．..^"],
    [`${'['.repeat(300)}1${']'.repeat(300)}`, 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250'],
  ])('%s', (expression, want) => {
    expect(compileExpression(expression, environment).issues).toBe(want);
  });

  test('a hundred thousand characters are the limit', () => {
    const { issues } = compileExpression(`'${'a'.repeat(100_000)}'`, environment);
    expect(issues).toBe('ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000');
  });

  test('a constant that cannot be converted is rejected', () => {
    expect(compileExpression("int('b')", environment).failure).toBe("type conversion error from 'string' to 'int'");
  });
});
