import { describe, expect, test } from '@jest/globals';
import { JqError, Query } from '../../../../runtime/simulation/stages/jq/query.ts';

const pod = {
  metadata: { name: 'web', annotations: { 'a.example.com/delay': '5s' }, ownerReferences: [{ kind: 'Job' }] },
  spec: { containers: [{ name: 'a' }, { name: 'b', image: null }], replicas: 3 },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Initialized', status: 'False' },
    ],
  },
};

describe('queries', () => {
  test.each<[string, unknown[]]>([
    ['.', [pod]],
    ['.metadata.name', ['web']],
    ['.metadata.annotations["a.example.com/delay"]', ['5s']],
    ['.metadata."name"', ['web']],
    ['.metadata.ownerReferences.[].kind', ['Job']],
    ['.spec.containers[].name', ['a', 'b']],
    ['.spec.containers[-1].name', ['b']],
    ['.status.conditions.[] | select( .type == "Ready" ) | .status', ['True']],
    ['.status.conditions | map(.type) | first', ['Ready']],
    ['.spec.containers | length', [2]],
    ['.spec.replicas > 2 and (.metadata | has("name"))', [true]],
    ['.spec.nothing // "default"', ['default']],
    ['.spec.containers[].image', []],
    ['.metadata.deletionTimestamp', []],
    ['.metadata.finalizers.[]', []],
    ['.metadata.name.first', []],
    ['(.metadata.name.first)?, .spec.replicas', [3]],
    ['.metadata | keys | .[0]', ['annotations']],
    ['.status.conditions | any(.status == "False")', [true]],
    ['.metadata.name | startswith("w")', [true]],
  ])('%s', (text, want) => {
    expect(new Query(text).run(pod)).toEqual(want);
  });

  test.each([
    ['.a |', 'unexpected end of query'],
    ['.a ! .b', 'unexpected token "!"'],
    ['.a )', 'unexpected token ")"'],
    ['input', 'function not defined: input/0'],
    ['select', 'function not defined: select/0'],
    ['('.repeat(100), 'query is nested too deeply'],
    [`.${'a'.repeat(9000)}`, 'query is too long'],
  ])('%s is refused', (text, message) => {
    expect(() => new Query(text)).toThrow(new JqError(message));
  });

  test('a query that multiplies ends', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index);
    const nested = { list: Array.from({ length: 400 }, () => list) };
    expect(new Query('.list[][]').run(nested)).toEqual([]);
  });
});
