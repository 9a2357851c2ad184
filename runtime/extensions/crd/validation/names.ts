import type { CustomResourceDefinitionNames } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { dns1035Label } from '../../../machinery/validation/name-formats.ts';

export function validateCustomResourceDefinitionNames(names: Unvalidated<CustomResourceDefinitionNames>, field: Field): void {
  const { plural = '', singular = '', kind = '', listKind = '' } = names;
  validateDNSLabel(plural, field.child('plural'));
  validateDNSLabel(singular, field.child('singular'));
  validateKind(kind, field.child('kind'));
  validateKind(listKind, field.child('listKind'));
  validateDNSLabels(names.shortNames, field.child('shortNames'));
  if (kind !== '' && kind === listKind) {
    field.child('listKind').invalid(listKind, 'kind and listKind may not be the same');
  }
  validateDNSLabels(names.categories, field.child('categories'));
}

function validateDNSLabel(name: string, field: Field): void {
  const texts = name === '' ? [] : dns1035Label(name);
  if (texts.length > 0) field.invalid(name, texts.join(','));
}

function validateKind(kind: string, field: Field): void {
  const texts = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  if (texts.length === 0) return;
  field.invalid(kind, `may have mixed case, but should otherwise match: ${texts.join(',')}`);
}

function validateDNSLabels(names: readonly string[] | undefined, field: Field): void {
  for (const [index, name] of (names ?? []).entries()) {
    const texts = dns1035Label(name);
    if (texts.length > 0) field.index(index).invalid(name, texts.join(','));
  }
}
