import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../../../generated/v1.35/meta/v1/types.ts';
import { memberOf } from '../../../machinery/json/values.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateFormat } from '../../validation/fields.ts';
import type { Labels } from '../../validation/labels.ts';

/** Label keys of affinity terms and spread constraints. Their values in the selector come from the pod's labels. */

type Selector = Unvalidated<LabelSelector>;
type SpreadConstraint = Unvalidated<core.TopologySpreadConstraint>;

interface KeyedSelector {
  readonly labelSelector?: Selector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[];
}

/**
 * The selector already includes the expressions for the keys. The error of a key that the selector has twice lacks
 * `matchLabelKeys` in its path, as upstream. (pkg/apis/core/validation, ValidateMatchLabelKeysAndMismatchLabelKeys)
 */
export function validateMatchLabelKeysAndMismatchLabelKeys(keyed: KeyedSelector, field: Field): void {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = keyed;
  validateLabelKeys(matchLabelKeys, labelSelector, field.child('matchLabelKeys'));
  validateLabelKeys(mismatchLabelKeys, labelSelector, field.child('mismatchLabelKeys'));
  if (!matchLabelKeys?.length) return;
  if (labelSelector) forbidSelectedTwice(labelSelector, matchLabelKeys, field);
  if (!mismatchLabelKeys?.length) return;
  const mismatched = new Set(mismatchLabelKeys);
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatched.has(key)) continue;
    const at = field.child('matchLabelKeys').index(index);
    at.invalid(key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  }
}

const inBoth = 'exists in both matchLabelKeys and labelSelector';

function forbidSelectedTwice(selector: Selector, keys: readonly string[], field: Field): void {
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const seen = new Set(Object.keys(selector.matchLabels ?? {}));
  for (const { key = '' } of selector.matchExpressions ?? []) {
    const index = indexes.get(key);
    if (index !== undefined && seen.has(key)) field.index(index).invalid(key, inBoth);
    seen.add(key);
  }
}

/** (validateLabelKeys) */
function validateLabelKeys(keys: readonly string[] | undefined, selector: Selector | undefined, field: Field): void {
  if (!keys?.length) return;
  if (!selector) field.forbidden('must not be specified when labelSelector is not set');
  else for (const [index, key] of keys.entries()) validateFormat(key, qualifiedName, field.index(index));
}

/**
 * The rules before v1.34, for objects that were stored under them. (pkg/apis/core/validation,
 * ValidateMatchLabelKeysInTopologySpread)
 */
export function validateMatchLabelKeysInTopologySpread({ matchLabelKeys, labelSelector }: SpreadConstraint, field: Field): void {
  if (!matchLabelKeys?.length) return;
  if (!labelSelector) field.forbidden('must not be specified when labelSelector is not set');
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) selected.add(key);
  for (const [index, key] of matchLabelKeys.entries()) {
    validateFormat(key, qualifiedName, field.index(index));
    if (selected.has(key)) field.index(index).invalid(key, inBoth);
  }
}

/**
 * Adds an expression to the selector for each key: In or NotIn with the value of the pod's label.
 * (pkg/registry/core/pod/strategy.go, applyMatchLabelKeysAndMismatchLabelKeys)
 */
export function applyLabelKeys(keyed: KeyedSelector, labels: Labels | undefined): void {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = keyed;
  if (!labelSelector || !labels) return;
  for (const key of matchLabelKeys ?? []) addExpression(labelSelector, key, 'In', labels);
  for (const key of mismatchLabelKeys ?? []) addExpression(labelSelector, key, 'NotIn', labels);
}

function addExpression(selector: Selector, key: string, operator: 'In' | 'NotIn', labels: Labels): void {
  const value = memberOf(labels, key);
  if (typeof value !== 'string') return;
  selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }];
}
