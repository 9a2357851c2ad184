import { describe, expect, it } from '@jest/globals';
import { finishedTimeOf, nextBackoffRecord, remainingBackoff } from '../../../../runtime/controllers/job/backoff.ts';
import { generateNameWithIndex } from '../../../../runtime/controllers/job/indexed-pods.ts';
import { OrderedIntervals } from '../../../../runtime/controllers/job/ordered-intervals.ts';
import { matchSuccessPolicy } from '../../../../runtime/controllers/job/success-policy.ts';

const second = 1000;

describe('the rules of jobs', () => {
  it.each([
    ['', 10, ''],
    ['0', 10, '0'],
    ['0,1', 10, '0,1'],
    ['0-2,4', 10, '0-2,4'],
    ['0-2,3,5-6', 10, '0-3,5,6'],
    ['1,bad,3-4,5-', 10, '1,3,4'],
    ['0-9', 5, '0-4'],
    ['1,7', 5, '1'],
  ])('read the indexes %j of %d as %j', (text, completions, expected) => {
    expect(`${OrderedIntervals.parse(text, completions)}`).toBe(expected);
  });

  it.each([
    ['', [], '', 0],
    ['', [4, 2, 3], '2-4', 3],
    ['1-2,6', [0, 3, 7], '0-3,6,7', 6],
    ['0-4', [2], '0-4', 5],
  ])('add to the indexes %j those of %j', (text, added, expected, total) => {
    const union = OrderedIntervals.parse(text, 10).union(OrderedIntervals.of(added));
    expect([`${union}`, union.total]).toEqual([expected, total]);
    expect(Array.from({ length: 10 }, (_, index) => index).filter((index) => union.has(index))).toHaveLength(total);
  });

  it.each([
    ['', 3, 5, [0, 1, 2]],
    ['0-1,3', 3, 5, [2, 4]],
    ['1', 1, 5, [0]],
    ['0-4', 2, 5, []],
  ])('find beside the indexes %j at most %d others below %d', (text, count, completions, expected) => {
    expect(OrderedIntervals.parse(text, completions).complement(count, completions)).toEqual(expected);
  });

  it.each([
    [{ succeededIndexes: '0-2' }, '0-2', 'Matched rules at index 0'],
    [{ succeededIndexes: '0-2' }, '0,2,4', undefined],
    [{ succeededIndexes: '0-2', succeededCount: 2 }, '0,2,4', 'Matched rules at index 0'],
    [{ succeededIndexes: '0-2', succeededCount: 2 }, '2-4', undefined],
    [{ succeededCount: 3 }, '2-4', 'Matched rules at index 0'],
    [{ succeededCount: 1 }, '', undefined],
  ])('match the success policy %j with the indexes %j: %s', (rule, succeeded, expected) => {
    expect(matchSuccessPolicy({ rules: [rule] }, 5, OrderedIntervals.parse(succeeded, 5))).toBe(expected);
  });

  it.each([
    [0, 0, 0],
    [1, 0, 10],
    [1, 4, 6],
    [2, 0, 20],
    [7, 0, 600],
    [100, 0, 600],
    [3, 41, 0],
  ])('wait after %d failures, the last %d seconds ago, for %d more', (failures, ago, expected) => {
    expect(remainingBackoff({ failures, lastFailureTime: 0 }, ago * second)).toBe(expected * second);
  });

  it('count the failures since the last success', () => {
    const at = (seconds: number) => {
      const finishedAt = new Date(seconds * second).toISOString();
      const container = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0 };
      return {
        metadata: {},
        status: { containerStatuses: [{ ...container, state: { terminated: { exitCode: 1, finishedAt } } }] },
      };
    };
    const before = { failures: 2, lastFailureTime: 1 };
    expect(nextBackoffRecord(before, [], [])).toBe(before);
    expect(nextBackoffRecord(before, [], [at(5), at(4)])).toEqual({ failures: 4, lastFailureTime: 5 * second });
    expect(nextBackoffRecord(before, [at(4)], [at(5), at(3)])).toEqual({ failures: 1, lastFailureTime: 5 * second });
    expect(nextBackoffRecord(before, [at(6)], [at(5)])).toEqual({ failures: 0 });
  });

  it('know when a pod finished by its containers, its readiness, its deletion or its creation', () => {
    const creationTimestamp = '1970-01-01T00:00:01Z';
    const deletion = { deletionTimestamp: '1970-01-01T00:00:40Z', deletionGracePeriodSeconds: 30 };
    const unready = { type: 'Ready', status: 'False', lastTransitionTime: '1970-01-01T00:00:05Z' };
    expect(finishedTimeOf({ metadata: { creationTimestamp } })).toBe(second);
    expect(finishedTimeOf({ metadata: { creationTimestamp, ...deletion } })).toBe(10 * second);
    expect(finishedTimeOf({ metadata: { ...deletion }, status: { conditions: [unready] } })).toBe(5 * second);
  });

  it('shorten the names of pods to what names have room for', () => {
    expect(generateNameWithIndex('pi', 12)).toBe('pi-12-');
    expect(generateNameWithIndex('x'.repeat(63), 12)).toBe(`${'x'.repeat(54)}-12-`);
  });
});
