import type { TypedLocalObjectReference } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { pathSegment } from '../../structural/formats.ts';
import { validateFormat, validateRequiredFormat } from '../validation/fields.ts';

/**
 * A reference to a backend or to parameters. (pkg/apis/networking/validation, validateIngressTypedLocalObjectReference)
 */
export function validateTypedLocalObjectReference({ apiGroup, kind, name }: Unvalidated<TypedLocalObjectReference>, field: Field): void {
  if (apiGroup != null) validateFormat(apiGroup, dnsSubdomain, field.child('apiGroup'));
  validateRequiredFormat(kind, pathSegment, field.child('kind'));
  validateRequiredFormat(name, pathSegment, field.child('name'));
}
