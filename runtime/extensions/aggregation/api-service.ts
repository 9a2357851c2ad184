import type * as apiregistration from '../../../generated/v1.35/apiregistration.k8s.io/v1/types.ts';
import type { GroupVersion } from '../../machinery/gvk.ts';
import { compareKubeAwareVersions } from '../../machinery/kube-versions.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** A stored APIService, whose spec validation has required. */
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

/** Where the requests for the group-version begin, which for the core group are all of /api. */
export function proxyPath(name: string): string {
  const { group, version } = groupVersionOf(name);
  return name === legacyAPIServiceName ? '/api' : `/apis/${group}/${version}`;
}

/** What a server has to say of the group-version, which for the core group is not all of /api. */
export const discoveryPath = (name: string): string => (name === legacyAPIServiceName ? '/api/v1' : proxyPath(name));

export const availableCondition = ({ status }: APIService): APIServiceCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Available');

export const isAvailable = (apiService: APIService): boolean => availableCondition(apiService)?.status === 'True';

/** What orders an APIService in discovery. */
export interface Registered {
  readonly name: string;
  readonly spec: APIServiceSpec;
}

/**
 * The APIServices by group: the group with the highest priority first, and in it the version with the highest.
 * (kube-aggregator pkg/apis/apiregistration/v1/helper SortedByGroupAndVersion)
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
