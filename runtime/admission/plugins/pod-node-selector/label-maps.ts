import { plainError } from '../../../machinery/errors/status.ts';
import { memberOf } from '../../../machinery/json/values.ts';
import { fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { labelKey, labelValue } from '../../../machinery/validation/name-formats.ts';

export type Labels = Readonly<Record<string, string>>;

/** Reads `a=b,c=d`. @throws StatusError 500, as upstream (labels.ConvertSelectorToLabelsMap) */
export function convertSelectorToLabelsMap(selector: string): Labels {
  const entries = selector === '' ? [] : selector.split(',').map(parseLabel);
  return Object.fromEntries(entries);
}

function parseLabel(text: string): [key: string, value: string] {
  const parts = text.split('=');
  if (parts.length !== 2) throw plainError(`invalid selector: [${parts.join(' ')}]`);
  const [key = '', value = ''] = parts.map((part) => part.trim());
  requireNone(labelKey(key), key, FieldPath.root);
  requireNone(labelValue(value), value, FieldPath.root.key(key));
  return [key, value];
}

function requireNone(problems: readonly string[], value: string, path: FieldPath): void {
  if (problems.length > 0) throw plainError(fieldErrorMessage(invalid(path, value, problems.join('; '))));
}

/** Reports whether two sets give a key different values. (labels.Conflicts) */
export const conflicts = (a: Labels, b: Labels): boolean => Object.entries(a).some(([key, value]) => (memberOf(b, key) ?? value) !== value);

/** Reports whether all labels are also in the other set. An empty other set allows any labels. */
export const isSubset = (labels: Labels, all: Labels): boolean =>
  Object.keys(all).length === 0 || Object.entries(labels).every(([key, value]) => memberOf(all, key) === value);
