import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';
import { validateCIDR } from '../validation/ip.ts';

export const serviceCIDRs = ({ spec }: KubeObject): string => spec?.cidrs?.join(',') ?? '';

export function validateServiceCIDR(object: Part, path: FieldPath, errors: Errors): void {
  const cidrs: readonly string[] = object.spec?.cidrs ?? [];
  const at = path.child('spec', 'cidrs');
  if (cidrs.length === 0) errors.push(required(at, 'at least one CIDR required'));
  if (cidrs.length > 2) errors.push(invalid(at, cidrs, 'may only hold up to 2 values'));
  for (const [index, range] of cidrs.entries()) validateCIDR(range, at.index(index), errors);
}
