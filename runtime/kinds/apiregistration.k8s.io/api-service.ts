import type * as apiregistration from '../../../generated/v1.35/apiregistration.k8s.io/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { pathSegment } from '../../structural/formats.ts';
import { rangeText, validateEnum, validateFormat } from '../validation/fields.ts';

type APIService = Unvalidated<apiregistration.APIService>;
type APIServiceSpec = NonNullable<APIService['spec']>;

/** (kube-aggregator pkg/apis/apiregistration/validation) */
export function validateAPIService({ metadata, spec = {}, status }: APIService, field: Field): void {
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const at = field.child('spec');
  const { name = '', generateName = '' } = metadata ?? {};
  const required = `${version}.${group}`;
  if (generateName !== '') validateName(generateName, required, field.child('metadata', 'generateName'));
  validateName(name, required, field.child('metadata', 'name'));
  if (group === '' && version !== 'v1') {
    at.child('group').required('only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') validateFormat(group, dnsSubdomain, at.child('group'));
  validateFormat(version, dns1035Label, at.child('version'));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    at.child('groupPriorityMinimum').invalid(groupPriorityMinimum, 'must be positive and less than 20000');
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    at.child('versionPriority').invalid(versionPriority, 'must be positive and less than 1000');
  }
  if (service) validateRemote(spec, service, at);
  else validateLocal(spec, at);
  validateConditions(status, field.child('status', 'conditions'));
}

function validateName(name: string, required: string, field: Field): void {
  // a name that is missing or that no path can have has been reported
  if (name === required || name === '' || pathSegment(name).length > 0) return;
  field.invalid(name, `must be \`spec.version+"."+spec.group\`: "${required}"`);
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec, at: Field): void {
  if (caBundle) {
    const bytes = Buffer.byteLength(caBundle, 'base64');
    at.child('caBundle').invalid(`${bytes} bytes`, 'local APIServices may not have a caBundle');
  }
  if (insecureSkipTLSVerify) {
    at.child('insecureSkipTLSVerify').invalid(true, 'local APIServices may not have insecureSkipTLSVerify');
  }
}

function validateRemote(
  { caBundle, insecureSkipTLSVerify }: APIServiceSpec,
  { namespace, name, port = 0 }: NonNullable<APIServiceSpec['service']>,
  at: Field,
): void {
  if (!namespace) at.child('service', 'namespace').required();
  if (!name) at.child('service', 'name').required();
  if (port < 1 || port > 65_535) at.child('service', 'port').invalid(port, `port is not valid: ${rangeText(1, 65_535)}`);
  if (insecureSkipTLSVerify && caBundle) {
    at.child('insecureSkipTLSVerify').invalid(true, 'may not be true if caBundle is present');
  }
}

function validateConditions(status: APIService['status'], field: Field): void {
  for (const [index, condition] of (status?.conditions ?? []).entries()) {
    validateEnum(condition?.status ?? '', ['True', 'False', 'Unknown'], field.index(index).child('status'));
  }
}

/** Local APIServices are available from the start. (kube-aggregator pkg/registry/apiservice/strategy.go) */
export const apiServiceStrategy: RESTStrategy = {
  prepareForCreate(object, { now }) {
    const { spec } = object as APIService & KubeObject;
    if (spec?.service) return;
    const condition = { type: 'Available', status: 'True', lastTransitionTime: timeText(now), ...locallyAvailable };
    Object.assign(object, { status: { conditions: [condition] } });
  },
};

/** (NewLocalAvailableAPIServiceCondition) */
const locallyAvailable = { reason: 'Local', message: 'Local APIServices are always available' };

export const apiServiceBackend = ({ spec }: APIService): string =>
  spec?.service ? `${spec.service.namespace}/${spec.service.name}` : 'Local';

/** Formats the condition, as `False (MissingEndpoints)`. (kube-aggregator pkg/registry/apiservice/etcd) */
export function apiServiceAvailable({ status }: APIService): string {
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  if (!available) return 'Unknown';
  return available.status === 'True' || !available.reason ? `${available.status}` : `${available.status} (${available.reason})`;
}
