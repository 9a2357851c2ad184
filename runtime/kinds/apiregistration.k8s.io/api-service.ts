import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validatePortNum } from '../validation/fields.ts';

/** (kube-aggregator pkg/apis/apiregistration/validation) */
export function validateAPIService(apiService: Part, path: FieldPath, errors: Errors): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = apiService.spec ?? {};
  const at = path.child('spec');
  const name = `${version}.${group}`;
  if (apiService.metadata?.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: "${name}"`;
    errors.push(invalid(path.child('metadata', 'name'), apiService.metadata?.name ?? '', detail));
  }
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    const detail = 'must be positive and less than 20000';
    errors.push(invalid(at.child('groupPriorityMinimum'), groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.push(invalid(at.child('versionPriority'), versionPriority, 'must be positive and less than 1000'));
  }
  if (!service) return;
  for (const part of ['namespace', 'name']) if (!service[part]) errors.push(required(at.child('service', part)));
  if (service.port !== undefined) validatePortNum(service.port, at.child('service', 'port'), errors);
}

export const apiServiceBackend = ({ spec }: KubeObject): string =>
  spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local';

/** As `False (MissingEndpoints)`. (kube-aggregator pkg/registry/apiservice/etcd) */
export function apiServiceAvailable({ status }: KubeObject): string {
  const available = status?.conditions?.find(({ type }: Part) => type === 'Available');
  if (!available) return 'Unknown';
  return available.status === 'True' ? 'True' : `${available.status} (${available.reason ?? ''})`;
}
