import type { Taint, Toleration } from '../../../../generated/v1.35/core/v1/types.ts';

/** Tolerations of taints. (component-helpers/scheduling/corev1/helpers.go) */

/**
 * Reports whether a toleration tolerates a taint. Gt and Lt need the gate TaintTolerationComparisonOperators, which is
 * off. (api/core/v1/toleration.go, ToleratesTaint)
 */
export function toleratesTaint({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}

/** (TolerationsTolerateTaint) */
export const tolerationsTolerateTaint = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => toleratesTaint(toleration, taint)) ?? false;

/** Returns the first relevant taint without a toleration. (FindMatchingUntoleratedTaint) */
export function findUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  isOfInterest: (taint: Taint) => boolean,
): Taint | undefined {
  return taints?.find((taint) => isOfInterest(taint) && !tolerationsTolerateTaint(tolerations, taint));
}

/**
 * Reports whether a taint keeps pods from being scheduled. (scheduler/framework/plugins/helper/taint.go,
 * DoNotScheduleTaintsFilterFunc)
 */
export const isDoNotScheduleTaint = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
