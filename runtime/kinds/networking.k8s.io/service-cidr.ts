import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateCIDR } from '../validation/ip.ts';

type ServiceCIDR = Unvalidated<networking.ServiceCIDR>;

export const serviceCIDRs = ({ spec }: ServiceCIDR): string => spec?.cidrs?.join(',') ?? '';

export function validateServiceCIDR({ spec }: ServiceCIDR, field: Field): void {
  const cidrs = spec?.cidrs ?? [];
  const at = field.child('spec', 'cidrs');
  if (cidrs.length === 0) at.required('at least one CIDR required');
  if (cidrs.length > 2) at.invalid(cidrs, 'may only hold up to 2 values');
  for (const [index, range] of cidrs.entries()) validateCIDR(range, at.index(index));
}

/** The condition that addresses may be allocated. */
export const readyCondition = 'Ready';

/** Without the condition, it is ready: no controller may be running. (ipallocator isReady) */
export function isReady({ status }: ServiceCIDR): boolean {
  const ready = status?.conditions?.find(({ type }) => type === readyCondition);
  return ready === undefined || ready.status === 'True';
}
