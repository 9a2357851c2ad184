import type { Condition } from '../../../generated/v1.35/meta/v1/types.ts';
import { withCondition } from '../../machinery/conditions.ts';

/** (DisruptionAllowedCondition) */
const conditionType = 'DisruptionAllowed';

/** Whether pods may be evicted, with the reason. */
export type DisruptionVerdict = Pick<Condition, 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** Finds the condition that shows whether pods of a budget may be evicted. */
export const disruptionAllowed = <T extends { readonly type?: string }>(conditions: readonly T[]): T | undefined =>
  conditions.find(({ type }) => type === conditionType);

/** Returns the conditions with a new verdict. @param now milliseconds since the epoch */
export const withDisruptionAllowed = (conditions: readonly Condition[], verdict: DisruptionVerdict, now: number): Condition[] =>
  withCondition(conditions, { type: conditionType, ...verdict }, now);
