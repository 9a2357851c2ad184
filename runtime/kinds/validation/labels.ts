import type { Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { type Errors, validateFormat } from './fields.ts';

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabels) Errors name the map, not the key. */
export function validateLabels(labels: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(labels ?? {})) {
    validateFormat(key, qualifiedName, path, errors);
    validateFormat(labels[key], labelValue, path, errors);
  }
}

/** Keys in any case; 256 KiB in all. */
export function validateAnnotations(annotations: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(annotations ?? {})) {
    for (const message of qualifiedName(key.toLowerCase())) errors.push(invalid(path, key, message));
  }
}

/** (apimachinery pkg/apis/meta/v1/validation, ValidateLabelSelector) */
export function validateLabelSelector(selector: Part, path: FieldPath, errors: Errors): void {
  if (!selector) return;
  validateLabels(selector.matchLabels, path.child('matchLabels'), errors);
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    validateLabelSelectorOperator(requirement, at, errors);
    validateFormat(requirement.key ?? '', qualifiedName, at.child('key'), errors);
    for (const [place, value] of (requirement.values ?? []).entries()) {
      validateFormat(value, labelValue, at.child('values').index(place), errors);
    }
  }
}

/** In and NotIn want values, Exists and DoesNotExist want none. */
export function validateLabelSelectorOperator({ operator, values = [] }: Part, path: FieldPath, errors: Errors): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      return;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      return;
    default:
      errors.push(invalid(path.child('operator'), operator ?? '', 'not a valid selector operator'));
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
