import type { Taint, Toleration } from '../../../../generated/v1.35/core/v1/types.ts';

/** What pods tolerate of nodes. (component-helpers/scheduling/corev1/helpers.go) */

/** Gt and Lt need the gate TaintTolerationComparisonOperators, which is off. (api/core/v1/toleration.go, ToleratesTaint) */
export function toleratesTaint({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}

/** (TolerationsTolerateTaint) */
export const tolerationsTolerateTaint = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => toleratesTaint(toleration, taint)) ?? false;

/** The first of the taints that are of interest which is not tolerated. (FindMatchingUntoleratedTaint) */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  isOfInterest: (taint: Taint) => boolean,
): Taint | undefined {
  return taints?.find((taint) => isOfInterest(taint) && !tolerationsTolerateTaint(tolerations, taint));
}

/** Taints that keep pods from being scheduled. (scheduler/framework/plugins/helper/taint.go, DoNotScheduleTaintsFilterFunc) */
export const isDoNotScheduleTaint = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
