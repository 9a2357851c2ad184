import type * as policy from '../../../generated/v1.35/policy/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isNotMoreThan100Percent, validatePositiveIntOrPercent } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

type PodDisruptionBudget = Unvalidated<policy.PodDisruptionBudget>;

/** (pkg/apis/policy/validation, ValidatePodDisruptionBudgetSpec) */
export function validatePodDisruptionBudget({ spec = {} }: PodDisruptionBudget, field: Field): void {
  const at = field.child('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    at.invalid(spec, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const name of ['minAvailable', 'maxUnavailable'] as const) {
    validatePositiveIntOrPercent(spec[name], at.child(name));
    isNotMoreThan100Percent(spec[name], at.child(name));
  }
  validateLabelSelector(spec.selector, at.child('selector'));
}

export const disruptionMinAvailable = ({ spec }: PodDisruptionBudget): string => String(spec?.minAvailable ?? 'N/A');
export const disruptionMaxUnavailable = ({ spec }: PodDisruptionBudget): string =>
  String(spec?.maxUnavailable ?? 'N/A');
