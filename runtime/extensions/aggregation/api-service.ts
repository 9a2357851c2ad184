import type * as apiregistration from '../../../generated/v1.35/apiregistration.k8s.io/v1/types.ts';
import type { GroupVersion } from '../../machinery/gvk.ts';
import { compareKubeAwareVersions } from '../../machinery/kube-versions.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** A stored APIService. Validation has required its spec. */
export type APIService = apiregistration.APIService & KubeObject & { readonly spec: APIServiceSpec };
export type APIServiceSpec = apiregistration.APIServiceSpec;
export type APIServiceCondition = apiregistration.APIServiceCondition;
export type ServiceReference = apiregistration.ServiceReference;

export const apiregistrationGroup = 'apiregistration.k8s.io';
/** The only APIService without a group. */
export const legacyAPIServiceName = 'v1.';

export const apiServiceName = ({ group, version }: GroupVersion): string => `${version}.${group}`;

/** (APIServiceNameToGroupVersion) */
export function groupVersionOf(name: string): GroupVersion {
  const dot = name.indexOf('.');
  return { group: name.slice(dot + 1), version: name.slice(0, dot) };
}

/** Returns the path prefix of the requests for a group-version: /api for the core group. */
export function proxyPath(name: string): string {
  const { group, version } = groupVersionOf(name);
  return name === legacyAPIServiceName ? '/api' : `/apis/${group}/${version}`;
}

/** Returns the path of a group-version's discovery: /api/v1 for the core group. */
export const discoveryPath = (name: string): string => (name === legacyAPIServiceName ? '/api/v1' : proxyPath(name));

export const availableCondition = ({ status }: APIService): APIServiceCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Available');

export const isAvailable = (apiService: APIService): boolean => availableCondition(apiService)?.status === 'True';

/** The members that order an APIService in discovery. */
export interface Registered {
  readonly name: string;
  readonly spec: APIServiceSpec;
}

/**
 * Returns the APIServices by group. Groups, and the versions of a group, come in the order of their priority, highest
 * first. (kube-aggregator pkg/apis/apiregistration/v1/helper SortedByGroupAndVersion)
 */
export function sortedByGroupAndVersion(apiServices: Iterable<Registered>): Registered[][] {
  const groups = new Map<string, Registered[]>();
  for (const one of [...apiServices].sort(byGroupPriority)) {
    const { group = '' } = one.spec;
    const versions = groups.get(group);
    if (versions === undefined) groups.set(group, [one]);
    else versions.push(one);
  }
  for (const versions of groups.values()) versions.sort(byVersionPriority);
  return [...groups.values()];
}

const byGroupPriority = (a: Registered, b: Registered): number =>
  b.spec.groupPriorityMinimum - a.spec.groupPriorityMinimum || (a.name < b.name ? -1 : 1);

const byVersionPriority = (a: Registered, b: Registered): number =>
  b.spec.versionPriority - a.spec.versionPriority || compareKubeAwareVersions(b.spec.version ?? '', a.spec.version ?? '');
