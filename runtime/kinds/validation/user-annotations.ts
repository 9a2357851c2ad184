import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { maxAnnotationBytes } from '../../resources/metadata-validation.ts';

/**
 * Annotations of a pod for the signer of its certificate. Keys have a domain; their case does not matter.
 * (pkg/apis/core/validation, ValidateUserAnnotations)
 */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>>, field: Field): void {
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    validateDomainPrefixedKey(key.toLowerCase(), field);
    size += byteLength(key) + byteLength(value);
  }
  if (size > maxAnnotationBytes) field.tooLong('', maxAnnotationBytes);
}

/** (IsDomainPrefixedKey) */
function validateDomainPrefixedKey(key: string, field: Field): void {
  if (key === '') {
    field.required();
    return;
  }
  const messages = qualifiedName(key);
  for (const message of messages) field.invalid(key, message);
  if (messages.length === 0 && !key.includes('/')) {
    field.invalid(key, 'must be a domain-prefixed key (such as "acme.io/foo")');
  }
}
