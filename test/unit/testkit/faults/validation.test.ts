import { describe, expect, test } from '@jest/globals';
import { isStatusError } from '../../../../runtime/machinery/errors/status.ts';
import type { FaultPlanSpec } from '../../../../runtime/testkit/faults/fault-plan.ts';
import { requireValid } from '../../../../runtime/testkit/faults/validation.ts';

const status = { status: { code: 503 } };

/** Returns the error of a spec; "" for a valid one. */
function errorOf(spec: object): string {
  try {
    requireValid(spec as FaultPlanSpec);
    return '';
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return (error.status.message ?? '').replace('FaultPlan.testing.kubeloom.dev "" is invalid: ', '');
  }
}

describe('a fault plan', () => {
  test.each<object>([
    { fault: status },
    { match: { verbs: ['get'] }, occurrence: { skip: 0, count: 1, probability: '0.25', seed: 0 }, fault: status },
    { fault: { delay: { duration: '1m30s', when: 'AfterRequest' } } },
    { fault: { watch: { action: 'Stall', afterEvents: 0, bookmarks: 'Always' } } },
    { fault: { compact: {} } },
    { fault: { cut: {} } },
  ])('%j is valid', (spec) => {
    expect(errorOf(spec)).toBe('');
  });

  test.each<[spec: object, want: string]>([
    [
      { fault: {} },
      'spec.fault: Required value: must specify one of: status, delay, drop, cut, watch, staleRead, holdEvents, compact, restart, partition',
    ],
    [{ fault: { ...status, drop: {} } }, 'spec.fault.drop: Forbidden: may not specify more than 1 fault'],
    [{ fault: { status: { code: 200 } } }, 'spec.fault.status.code: Invalid value: 200: must be between 400 and 599, inclusive'],
    [{ fault: { delay: {} } }, 'spec.fault.delay.duration: Required value'],
    [
      { fault: { delay: { duration: '5 s' } } },
      'spec.fault.delay.duration: Invalid value: "5 s": time: unknown unit " s" in duration "5 s"',
    ],
    [{ fault: { staleRead: { age: '0s' } } }, 'spec.fault.staleRead.age: Invalid value: "0s": must be greater than 0'],
    [
      { fault: { drop: { when: 'Later' } } },
      'spec.fault.drop.when: Unsupported value: "Later": supported values: "AfterRequest", "BeforeRequest"',
    ],
    [{ fault: { cut: { afterBytes: -1 } } }, 'spec.fault.cut.afterBytes: Invalid value: -1: must be a whole number, 0 or more'],
    [
      { fault: { watch: { action: 'Sleep', bookmarks: 'Some' } } },
      '[spec.fault.watch.action: Unsupported value: "Sleep": supported values: "Close", "Expire", "Stall", spec.fault.watch.bookmarks: Unsupported value: "Some": supported values: "Always", "Never"]',
    ],
    [
      { occurrence: { count: 0, probability: '1.5' }, fault: status },
      '[spec.occurrence.count: Invalid value: 0: must be a whole number, 1 or more, spec.occurrence.probability: Invalid value: "1.5": must be a decimal between 0 and 1, as "0.5"]',
    ],
  ])('%j is not', (spec, want) => {
    expect(errorOf(spec)).toBe(want);
  });
});
