import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isNotMoreThan100Percent, validatePositiveIntOrPercent } from '../validation/fields.ts';
import { validateLabelSelector } from '../validation/labels.ts';

/** (pkg/apis/policy/validation) */
export function validatePodDisruptionBudget(budget: Part, field: Field): void {
  const spec = budget.spec ?? {};
  const at = field.child('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    at.invalid(spec, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const name of ['minAvailable', 'maxUnavailable']) {
    validatePositiveIntOrPercent(spec[name], at.child(name));
    isNotMoreThan100Percent(spec[name], at.child(name));
  }
  validateLabelSelector(spec.selector, at.child('selector'));
}

export const disruptionMinAvailable = ({ spec }: KubeObject): string => String(spec?.minAvailable ?? 'N/A');
export const disruptionMaxUnavailable = ({ spec }: KubeObject): string => String(spec?.maxUnavailable ?? 'N/A');
