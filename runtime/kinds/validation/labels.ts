import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from './fields.ts';

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabels) Errors name the map, not the key. */
export function validateLabels(labels: Part, field: Field): void {
  for (const key of Object.keys(labels ?? {})) {
    validateFormat(key, qualifiedName, field);
    validateFormat(labels[key], labelValue, field);
  }
}

/** Keys in any case; 256 KiB in all. */
export function validateAnnotations(annotations: Part, field: Field): void {
  for (const key of Object.keys(annotations ?? {})) {
    for (const message of qualifiedName(key.toLowerCase())) field.invalid(key, message);
  }
}

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabelSelector) */
export function validateLabelSelector(selector: Part, field: Field): void {
  if (!selector) return;
  validateLabels(selector.matchLabels, field.child('matchLabels'));
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = field.child('matchExpressions').index(index);
    validateLabelSelectorOperator(requirement, at);
    validateFormat(requirement.key ?? '', qualifiedName, at.child('key'));
    for (const [place, value] of (requirement.values ?? []).entries()) {
      validateFormat(value, labelValue, at.child('values').index(place));
    }
  }
}

/** In and NotIn want values, Exists and DoesNotExist want none. */
export function validateLabelSelectorOperator({ operator, values = [] }: Part, field: Field): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        field.child('values').required("must be specified when `operator` is 'In' or 'NotIn'");
      }
      return;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        field.child('values').forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      return;
    default:
      field.child('operator').invalid(operator ?? '', 'not a valid selector operator');
  }
}

export const isEmptyLabelSelector = (selector: Part): boolean =>
  !selector || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);

/** Whether labels meet a metav1.LabelSelector whose operators are known. */
export function labelSelectorMatches(selector: Part, labels: Part): boolean {
  const has = (key: string): boolean => Object.hasOwn(labels ?? {}, key);
  for (const key of Object.keys(selector.matchLabels ?? {})) {
    if (!has(key) || labels[key] !== selector.matchLabels[key]) return false;
  }
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }: Part) => {
    if (operator === 'Exists') return has(key);
    if (operator === 'DoesNotExist') return !has(key);
    const included = has(key) && values.includes(labels[key]);
    return operator === 'In' ? included : !included;
  });
}
