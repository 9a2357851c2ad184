import type { Condition } from '../../../generated/v1.35/meta/v1/types.ts';
import { timeText } from '../../machinery/scalars/time.ts';

/** (DisruptionAllowedCondition) */
const conditionType = 'DisruptionAllowed';

/** Whether pods may be evicted, and why. */
export type DisruptionVerdict = Pick<Condition, 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** The condition that says whether pods of a budget may be evicted. */
export const disruptionAllowed = <T extends { readonly type?: string }>(conditions: readonly T[]): T | undefined =>
  conditions.find(({ type }) => type === conditionType);

/** The conditions with a new verdict. (apimachinery meta.SetStatusCondition) @param now milliseconds since the epoch */
export function withDisruptionAllowed(
  conditions: readonly Condition[],
  verdict: DisruptionVerdict,
  now: number,
): Condition[] {
  const old = disruptionAllowed(conditions);
  const lastTransitionTime = old?.status === verdict.status ? old.lastTransitionTime : timeText(now);
  const condition: Condition = { type: conditionType, ...verdict, lastTransitionTime };
  return old === undefined ? [...conditions, condition] : conditions.map((one) => (one === old ? condition : one));
}
