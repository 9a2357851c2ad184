import type * as networking from '../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { loadBalancerAddresses } from '../core/service/printer.ts';
import { warningsForLoadBalancerStatus } from '../core/service/warnings.ts';
import { maxPrintedItems } from '../printers.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import { ingressClassAnnotation, validateIngressCreate, validateIngressStatusUpdate, validateIngressUpdate } from './ingress-validation.ts';

/** (pkg/registry/networking/ingress/strategy.go) */

type Ingress = Unvalidated<networking.Ingress>;

/**
 * Formats the hosts of the rules, or `*`. As upstream, `+ n more...` counts all rules, even without a host.
 * (formatHosts)
 */
export function ingressHosts({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host } of rules) {
    if (hosts.length === maxPrintedItems) hasMore = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return hasMore ? `${hosts.join(',')} + ${rules.length - maxPrintedItems} more...` : hosts.join(',');
}

export const ingressAddress = ({ status }: Ingress): string => loadBalancerAddresses(status).join(',');
export const ingressPorts = ({ spec }: Ingress): string => (spec?.tls?.length ? '80, 443' : '80');

export const ingressStrategy: RESTStrategy = {
  validateCreate: (ingress: Ingress, errors) => validateIngressCreate(ingress, Field.at(FieldPath.root, errors)),
  validateUpdate(ingress: Ingress, old: Ingress, errors, { part }) {
    const field = Field.at(FieldPath.root, errors);
    if (part === 'status') validateIngressStatusUpdate(ingress, old, field);
    else validateIngressUpdate(ingress, old, field);
  },
};

export const ingressWarnings: WriteWarnings<Ingress> = {
  warningsOnCreate({ metadata, spec }) {
    const isAnnotated = Object.hasOwn(metadata?.annotations ?? {}, ingressClassAnnotation);
    if (!isAnnotated || spec?.ingressClassName !== undefined) return none;
    return [`annotation "${ingressClassAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
  warningsOnStatusUpdate: ({ status }) => warningsForLoadBalancerStatus(status),
};
