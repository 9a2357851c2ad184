import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';
import { isNotMoreThan100Percent, validatePositiveIntOrPercent } from '../validation/int-or-percent.ts';
import { validateLabelSelector } from '../validation/labels.ts';

/** (pkg/apis/policy/validation) */
export function validatePodDisruptionBudget(budget: Part, path: FieldPath, errors: Errors): void {
  const spec = budget.spec ?? {};
  const at = path.child('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    errors.push(invalid(at, spec, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const name of ['minAvailable', 'maxUnavailable']) {
    validatePositiveIntOrPercent(spec[name], at.child(name), errors);
    isNotMoreThan100Percent(spec[name], at.child(name), errors);
  }
  validateLabelSelector(spec.selector, at.child('selector'), errors);
}

export const disruptionMinAvailable = ({ spec }: KubeObject): string => String(spec?.minAvailable ?? 'N/A');
export const disruptionMaxUnavailable = ({ spec }: KubeObject): string => String(spec?.maxUnavailable ?? 'N/A');
