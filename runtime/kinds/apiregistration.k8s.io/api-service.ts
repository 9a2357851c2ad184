import type * as apiregistration from '../../../generated/v1.35/apiregistration.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePortNum } from '../validation/fields.ts';

type APIService = Unvalidated<apiregistration.APIService>;

/** (kube-aggregator pkg/apis/apiregistration/validation) */
export function validateAPIService({ metadata, spec = {} }: APIService, field: Field): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const at = field.child('spec');
  const name = `${version}.${group}`;
  if (metadata?.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: "${name}"`;
    field.child('metadata', 'name').invalid(metadata?.name ?? '', detail);
  }
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = 'must be positive and less than 20000';
    at.child('groupPriorityMinimum').invalid(groupPriorityMinimum, detail);
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    at.child('versionPriority').invalid(versionPriority, 'must be positive and less than 1000');
  }
  if (!service) return;
  for (const member of ['namespace', 'name'] as const) {
    if (!service[member]) at.child('service', member).required();
  }
  if (service.port !== undefined) validatePortNum(service.port, at.child('service', 'port'));
}

export const apiServiceBackend = ({ spec }: APIService): string =>
  spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local';

/** For example `False (MissingEndpoints)`. (kube-aggregator pkg/registry/apiservice/etcd) */
export function apiServiceAvailable({ status }: APIService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (!available) return 'Unknown';
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
}
