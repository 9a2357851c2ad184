import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePortNum } from '../validation/fields.ts';

/** (kube-aggregator pkg/apis/apiregistration/validation) */
export function validateAPIService(apiService: Part, field: Field): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = apiService.spec ?? {};
  const at = field.child('spec');
  const name = `${version}.${group}`;
  if (apiService.metadata?.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: "${name}"`;
    field.child('metadata', 'name').invalid(apiService.metadata?.name ?? '', detail);
  }
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = 'must be positive and less than 20000';
    at.child('groupPriorityMinimum').invalid(groupPriorityMinimum, detail);
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    at.child('versionPriority').invalid(versionPriority, 'must be positive and less than 1000');
  }
  if (!service) return;
  for (const part of ['namespace', 'name']) if (!service[part]) at.child('service', part).required();
  if (service.port !== undefined) validatePortNum(service.port, at.child('service', 'port'));
}

export const apiServiceBackend = ({ spec }: KubeObject): string =>
  spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local';

/** As `False (MissingEndpoints)`. (kube-aggregator pkg/registry/apiservice/etcd) */
export function apiServiceAvailable({ status }: KubeObject): string {
  const available = status?.conditions?.find(({ type }: Part) => type === 'Available');
  if (!available) return 'Unknown';
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
}
