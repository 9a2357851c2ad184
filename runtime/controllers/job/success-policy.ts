import type { SuccessPolicy } from '../../../generated/v1.35/batch/v1/types.ts';
import { OrderedIntervals } from './ordered-intervals.ts';

/**
 * Returns the message of the first rule that the succeeded indexes meet. (pkg/controller/job/success_policy.go
 * matchSuccessPolicy)
 */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: OrderedIntervals,
): string | undefined {
  if (policy === undefined || succeeded.total === 0) return undefined;
  const index = (policy.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.total >= succeededCount;
    const required = OrderedIntervals.parse(succeededIndexes, completions);
    if (required.total === 0) return false;
    const overlap = required.overlap(succeeded);
    return overlap === required.total || (succeededCount !== undefined && overlap >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
