import type { FaultPlan, FaultPlanStatus } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { fromUnstructured, unstructuredContent } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { FaultPlanSpec } from '../faults/fault-plan.ts';

/** The numbers of matching requests and of hits. */
export interface FaultPlanCounts {
  readonly matches: number;
  readonly hits: number;
}

/**
 * Returns the status of a plan in force. Its condition Active is False after the maximum number of hits.
 *
 * @param now milliseconds since the epoch
 */
export function faultPlanStatus(
  { metadata: { generation }, spec, status }: FaultPlan,
  { matches, hits }: FaultPlanCounts,
  now: number,
): FaultPlanStatus {
  const { count } = spec.occurrence ?? {};
  const isExhausted = count !== undefined && hits >= count;
  const active = {
    type: 'Active',
    status: isExhausted ? 'False' : 'True',
    reason: isExhausted ? 'Exhausted' : 'InForce',
    message: isExhausted ? 'the plan has hit as many requests as it may' : 'the plan is in force',
  };
  const before = status?.conditions?.find(({ type }) => type === active.type);
  const lastTransitionTime = before?.status === active.status ? before.lastTransitionTime : timeText(now);
  return {
    ...defined({ observedGeneration: generation }),
    matches,
    hits,
    conditions: [defined({ ...active, observedGeneration: generation, lastTransitionTime })],
  };
}

/** The spec as faults read it. The schema of the kind has the same members, with objects where a fault has no members. */
export const faultPlanSpec = (spec: FaultPlan['spec']): FaultPlanSpec => fromUnstructured(unstructuredContent(spec));
