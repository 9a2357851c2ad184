import type { Condition } from '../../../generated/v1.35/meta/v1/types.ts';
import { withCondition } from '../../machinery/conditions.ts';

/** (DisruptionAllowedCondition) */
const conditionType = 'DisruptionAllowed';

/** Whether pods may be evicted, and why. */
export type DisruptionVerdict = Pick<Condition, 'status' | 'reason' | 'message' | 'observedGeneration'>;

/** The condition that says whether pods of a budget may be evicted. */
export const disruptionAllowed = <T extends { readonly type?: string }>(conditions: readonly T[]): T | undefined =>
  conditions.find(({ type }) => type === conditionType);

/** The conditions with a new verdict. @param now milliseconds since the epoch */
export const withDisruptionAllowed = (conditions: readonly Condition[], verdict: DisruptionVerdict, now: number): Condition[] =>
  withCondition(conditions, { type: conditionType, ...verdict }, now);
