import { type FieldError, invalid } from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';
import { dns1035Label } from '../../../machinery/validation/name-formats.ts';
import type { DefinitionNames } from './internal-spec.ts';

/** (ValidateCustomResourceDefinitionNames) */
export function validateCustomResourceDefinitionNames(
  names: DefinitionNames,
  path: FieldPath,
  errors: FieldError[],
): void {
  const { plural = '', singular = '', kind = '', listKind = '' } = names;
  checkLabel(plural, path.child('plural'), errors);
  checkLabel(singular, path.child('singular'), errors);
  checkKind(kind, path.child('kind'), errors);
  checkKind(listKind, path.child('listKind'), errors);
  checkList(names.shortNames, path.child('shortNames'), errors);
  if (kind !== '' && kind === listKind) {
    errors.push(invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  }
  checkList(names.categories, path.child('categories'), errors);
}

function checkLabel(name: string, path: FieldPath, errors: FieldError[]): void {
  const texts = name === '' ? [] : dns1035Label(name);
  if (texts.length > 0) errors.push(invalid(path, name, texts.join(',')));
}

function checkKind(kind: string, path: FieldPath, errors: FieldError[]): void {
  const texts = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (texts.length === 0) return;
  errors.push(invalid(path, kind, `may have mixed case, but should otherwise match: ${texts.join(',')}`));
}

function checkList(names: readonly string[] | undefined, path: FieldPath, errors: FieldError[]): void {
  for (const [index, name] of (names ?? []).entries()) {
    const texts = dns1035Label(name);
    if (texts.length > 0) errors.push(invalid(path.index(index), name, texts.join(',')));
  }
}
