import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { immutableText } from '../validation/fields.ts';
import { cidrVersion, validateStrictCIDR } from '../validation/ip.ts';

type ServiceCIDR = Unvalidated<networking.ServiceCIDR>;

export const serviceCIDRs = ({ spec }: ServiceCIDR): string => spec?.cidrs?.join(',') ?? '';

/** The condition that allows allocation. */
export const readyCondition = 'Ready';

/**
 * Reports whether addresses may be allocated. A ServiceCIDR without the condition is ready, since its controller may
 * not run. (ipallocator isReady)
 */
export function isReady({ status }: ServiceCIDR): boolean {
  const ready = status?.conditions?.find(({ type }) => type === readyCondition);
  return ready === undefined || ready.status === 'True';
}

/** (pkg/registry/networking/servicecidr) */
export const serviceCIDRStrategy: RESTStrategy = {
  validateCreate(serviceCIDR: ServiceCIDR, errors) {
    validateSpec(serviceCIDR, Field.at(FieldPath.of('spec', 'cidrs'), errors));
  },
  /** An update may add a second range to a single one, and change nothing else. (ValidateServiceCIDRUpdate) */
  validateUpdate(serviceCIDR: ServiceCIDR, old: ServiceCIDR, errors, { part }) {
    if (part === 'status') return;
    const field = Field.at(FieldPath.of('spec', 'cidrs'), errors);
    const cidrs = serviceCIDR.spec?.cidrs ?? [];
    const before = old.spec?.cidrs ?? [];
    const isUpgrade = before.length === 1 && cidrs.length === 2;
    if (cidrs.length !== before.length && !isUpgrade) {
      field.invalid(serviceCIDR.spec?.cidrs, immutableText);
      return;
    }
    for (const [index, cidr] of before.entries()) {
      if (cidrs[index] !== cidr) field.index(index).invalid(cidrs[index], immutableText);
    }
    if (isUpgrade) validateSpec(serviceCIDR, field);
  },
};

/** (validateServiceCIDRSpec) */
function validateSpec({ spec }: ServiceCIDR, field: Field): void {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) {
    field.required('at least one CIDR required');
    return;
  }
  if (cidrs.length > 2) {
    field.invalid({ CIDRs: cidrs }, 'may only hold up to 2 values');
    return;
  }
  for (const [index, range] of cidrs.entries()) validateStrictCIDR(range, field.index(index));
  const [first, second] = cidrs.map(cidrVersion);
  if (first === second && first !== 0) {
    const example = 'i.e 192.168.0.0/24 and 2001:db8::/64';
    field.invalid(cidrs, `may specify no more than one IP for each IP family, ${example}`);
  }
}
