import { describe, expect, test } from '@jest/globals';
import { MatchConditions } from '../../../../runtime/admission/cel/match-conditions.ts';
import { admissionEnvironment } from '../../../../runtime/cel/admission/environment.ts';
import { inputsOf } from './inputs.ts';

function match(texts: readonly string[], failurePolicy?: string) {
  const seen: string[] = [];
  const conditions = new MatchConditions(
    texts.map((expression, at) => ({ name: `c${at}`, expression })),
    {
      environment: () => admissionEnvironment({ authorizer: true }),
      failurePolicy,
      observer: {
        evaluated: (operation) => seen.push(`evaluated ${operation}`),
        failed: (operation) => seen.push(`failed ${operation}`),
      },
    },
  );
  return { result: conditions.match(inputsOf({ metadata: { name: 'web' } })), seen };
}

const failing = "expression 'object.no' resulted in error: no such key: no";

describe('match conditions', () => {
  test.each([
    [['true', "object.metadata.name == 'web'"], undefined, { matches: true }],
    [['object.no', 'false'], 'Fail', { matches: false }],
    [['object.no', 'true'], 'Fail', { error: expect.stringContaining('must evaluate to bool but got dyn') }],
    [['object.no == 1', 'true'], 'Ignore', { matches: false }],
    [
      ['object.no == 1', 'object.no == 2'],
      'Fail',
      { error: `[${failing.replace("no'", "no == 1'")}, ${failing.replace("no'", "no == 2'")}]` },
    ],
    [['namespaceObject == null'], 'Fail', { matches: true }],
  ])('%j with failurePolicy %s', (texts, failurePolicy, want) => {
    expect(match(texts, failurePolicy).result).toEqual(want);
  });

  test('tell an observer of each evaluation and of each condition that fails', () => {
    expect(match(['object.no == 1', 'true']).seen).toEqual(['failed CREATE', 'evaluated CREATE']);
  });
});
