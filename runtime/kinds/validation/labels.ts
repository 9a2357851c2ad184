import type { LabelSelector, LabelSelectorRequirement } from '../../../generated/v1.35/meta/v1/types.ts';
import { GoPointer, GoStruct } from '../../machinery/go/value.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import { memberOrDropped } from '../../machinery/prune/dropped-values.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { immutableText, validateFormat } from './fields.ts';

/** Labels and label selectors. (apimachinery pkg/apis/meta/v1/validation) */

export type Labels = Readonly<Record<string, string>>;

/** Labels as Go shows them in messages: keys are sorted, and absent labels are null. */
export const shownLabels = (labels: Labels | undefined): Labels | null =>
  labels === undefined ? null : Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Returns the labels of an object as Go shows them in messages: `{}` for a sent empty map, null for none. */
export const shownLabelsOf = (metadata: { readonly labels?: Labels } | undefined): Labels | null =>
  shownLabels(metadata && (memberOrDropped(metadata, 'labels') as Labels | undefined));

interface WithTemplate {
  readonly metadata?: { labels?: Record<string, string> };
  readonly spec?: { readonly template?: { readonly metadata?: { readonly labels?: Record<string, string> } } };
}

/**
 * Defaults the labels of an object to the labels of its template. Both share one map, as in Go. Strategies call it again for writes
 * of the status, because these get the template of the old object after defaulting.
 */
export function setLabelsOfTemplate({ metadata, spec }: WithTemplate): void {
  const labels = spec?.template?.metadata?.labels;
  if (labels && metadata && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

/** A selector as Go shows it in messages. */
export const shownSelector = (selector: Unvalidated<LabelSelector>): GoStruct =>
  new GoStruct(() => ({ ...selector, matchLabels: shownLabels(selector.matchLabels) ?? undefined }));

/** Errors have the path of the map, not of a key. (ValidateLabels) */
export function validateLabels(labels: Labels | undefined, field: Field): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    validateFormat(key, qualifiedName, field);
    validateFormat(value, labelValue, field);
  }
}

/** Keys may have capital letters. (ValidateAnnotations) */
export function validateAnnotations(annotations: Labels | undefined, field: Field): void {
  for (const key of Object.keys(annotations ?? {})) {
    for (const message of qualifiedName(key.toLowerCase())) field.invalid(key, message);
  }
}

/** (LabelSelectorValidationOptions) */
export interface LabelSelectorValidationOptions {
  /** Skips the values of requirements, because the stored selector has an invalid one. */
  readonly allowInvalidLabelValueInSelector?: boolean;
}

/** (LabelSelectorHasInvalidLabelValue) */
export const labelSelectorHasInvalidLabelValue = (selector: Unvalidated<LabelSelector> | undefined): boolean =>
  selector?.matchExpressions?.some(({ values }) => values?.some((value) => labelValue(value).length > 0)) ?? false;

/** (ValidateLabelSelector) */
export function validateLabelSelector(
  selector: Unvalidated<LabelSelector> | undefined,
  field: Field,
  { allowInvalidLabelValueInSelector = false }: LabelSelectorValidationOptions = {},
): void {
  if (!selector) return;
  validateLabels(selector.matchLabels, field.child('matchLabels'));
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = field.child('matchExpressions').index(index);
    validateLabelSelectorOperator(requirement, at);
    validateFormat(requirement.key ?? '', qualifiedName, at.child('key'));
    if (allowInvalidLabelValueInSelector) continue;
    for (const [valueIndex, value] of (requirement.values ?? []).entries()) {
      validateFormat(value, labelValue, at.child('values').index(valueIndex));
    }
  }
}

export function validateImmutableSelector(
  selector: Unvalidated<LabelSelector> | undefined,
  old: Unvalidated<LabelSelector> | undefined,
  field: Field,
): void {
  if (!equalPruned(selector, old)) field.invalid(selector && shownSelector(selector), immutableText);
}

/** Reports whether a stored selector has errors. If so, its successor may have errors too. */
export function hasInvalidLabelValueInLabelSelector(selector: Unvalidated<LabelSelector> | undefined): boolean {
  const field = Field.at(FieldPath.root, []);
  validateLabelSelector(selector, field);
  return field.errors.length > 0;
}

/** In and NotIn need values, Exists and DoesNotExist take none. (ValidateLabelSelectorRequirement) */
export function validateLabelSelectorOperator({ operator, values = [] }: Unvalidated<LabelSelectorRequirement>, field: Field): void {
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
      field.child('operator').invalid(new GoPointer(operator ?? ''), 'not a valid selector operator');
  }
}

export const isEmptyLabelSelector = (selector: Unvalidated<LabelSelector> | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;

/** Reports whether labels match a selector. Its operators must be valid. */
export function labelSelectorMatches(selector: Unvalidated<LabelSelector>, labels: Labels | undefined): boolean {
  const labelOf = (key: string): string | undefined => (labels && Object.hasOwn(labels, key) ? labels[key] : undefined);
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labelOf(key) !== value) return false;
  return (selector.matchExpressions ?? []).every(({ key = '', operator, values = [] }) => {
    const value = labelOf(key);
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const included = value !== undefined && values.includes(value);
    return operator === 'In' ? included : !included;
  });
}
