import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { cIdentifier } from '../../structural/formats.ts';
import { validateFormat } from '../validation/fields.ts';

/** Names of drivers, pools, attributes and capacities. (pkg/apis/resource/validation/validation.go) */

export const maxDriverNameLength = 63;
const maxPoolNameLength = 253;
export const maxDomainLength = 63;
export const maxIDLength = 32;

/** (pkg/apis/core/validation, ValidateCSIDriverName) */
export function validateDriverName(name: string | undefined, field: Field): void {
  if (!name) {
    field.required();
    if (field.follows('EmptyDriverIsOnlyMissing')) return;
  }
  validateDriverFormat(name ?? '', field);
}

function validateDriverFormat(name: string, field: Field): void {
  if (byteLength(name) > maxDriverNameLength) field.tooLong(name, maxDriverNameLength);
  for (const message of dnsSubdomain(name.toLowerCase())) field.invalid(name, message);
}

/** Subdomains, separated by slashes. */
export function validatePoolName(name: string | undefined, field: Field): void {
  if (!name) {
    field.required();
    return;
  }
  if (byteLength(name) > maxPoolNameLength) {
    field.tooLong(name, maxPoolNameLength);
    return;
  }
  for (const part of name.split('/')) validateFormat(part, dnsSubdomain, field);
}

/** A C identifier, optionally after a driver's name and a slash. Upstream accepts all text with more than one slash. */
export function validateQualifiedName(name: string, field: Field): void {
  const isInvalid = field.follows('EmptyQualifiedPartIsInvalid');
  if (name === '' && !isInvalid) {
    field.required('name required');
    return;
  }
  const [domain = '', id, ...others] = name.split('/', 3);
  if (others.length > 0) return;
  if (id === undefined) {
    validateCIdentifier(domain, field);
    return;
  }
  if (domain === '') reportEmpty('the domain must not be empty', isInvalid, field);
  else validateDriverName(domain, field);
  if (id === '') reportEmpty('the name must not be empty', isInvalid, field);
  else validateCIdentifier(id, field);
}

/** @param isInvalid whether the value is called invalid rather than missing */
function reportEmpty(detail: string, isInvalid: boolean, field: Field): void {
  if (isInvalid) field.invalid('', detail);
  else field.required(detail);
}

export function validateFullyQualifiedName(name: string, field: Field): void {
  const isInvalid = field.follows('EmptyQualifiedPartIsInvalid');
  validateQualifiedName(name, field);
  if (name.includes('/')) return;
  if (isInvalid) field.invalid(name, 'a fully qualified name must be a domain and a name separated by a slash');
  else if (name !== '') field.invalid(name, 'must include a domain');
}

function validateCIdentifier(id: string, field: Field): void {
  if (byteLength(id) > maxIDLength) field.tooLong(id, maxIDLength);
  validateFormat(id, cIdentifier, field);
}
