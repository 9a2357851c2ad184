import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateCIDR } from '../validation/ip.ts';

export const serviceCIDRs = ({ spec }: KubeObject): string => spec?.cidrs?.join(',') ?? '';

export function validateServiceCIDR(object: Part, field: Field): void {
  const cidrs: readonly string[] = object.spec?.cidrs ?? [];
  const at = field.child('spec', 'cidrs');
  if (cidrs.length === 0) at.required('at least one CIDR required');
  if (cidrs.length > 2) at.invalid(cidrs, 'may only hold up to 2 values');
  for (const [index, range] of cidrs.entries()) validateCIDR(range, at.index(index));
}
