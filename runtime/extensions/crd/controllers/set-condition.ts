import { timeText } from '../../../machinery/scalars/time.ts';
import type { Condition, CustomResourceDefinition } from '../api-helpers.ts';

/** Puts a condition in its place, or at the end; its time moves when its status does. (pkg/apihelpers SetCRDCondition) */
export function setCRDCondition(crd: CustomResourceDefinition, condition: Condition, now: number): void {
  crd.status ??= {};
  crd.status.conditions ??= [];
  const { conditions } = crd.status;
  const existing = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = timeText(now);
  if (existing === undefined) {
    conditions.push({ ...condition, lastTransitionTime });
    return;
  }
  if (existing.status !== condition.status || !existing.lastTransitionTime) {
    existing.lastTransitionTime = lastTransitionTime;
  }
  existing.status = condition.status;
  existing.reason = condition.reason;
  existing.message = condition.message;
}

export function removeCRDCondition(crd: CustomResourceDefinition, type: string): void {
  if (crd.status?.conditions) crd.status.conditions = crd.status.conditions.filter((one) => one.type !== type);
}
