import type { GroupVersion } from '../../../machinery/gvk.ts';

/** The priority of a group in discovery, and of a version in its group. */
export interface APIServicePriority {
  readonly group: number;
  readonly version: number;
}

/** Groups and versions of CustomResourceDefinitions. (pkg/controlplane/controller/crdregistration) */
export const crdPriority: APIServicePriority = { group: 1000, version: 100 };

/** The priority of the aggregation layer's own group, which is always first. (kube-aggregator handler_discovery.go) */
export const apiregistrationPriority: APIServicePriority = { group: 20_001, version: 0 };

/**
 * The priority of each group of a release, and of its versions. (pkg/controlplane/apiserver/aggregator.go,
 * cmd/kube-apiserver/app/aggregator.go)
 */
const builtin: Readonly<Record<string, readonly [group: number, versions: Readonly<Record<string, number>>]>> = {
  '': [18_000, { v1: 1 }],
  apps: [17_800, { v1: 15 }],
  'events.k8s.io': [17_750, { v1: 15, v1beta1: 5 }],
  'authentication.k8s.io': [17_700, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'authorization.k8s.io': [17_600, { v1: 15 }],
  autoscaling: [17_500, { v1: 15, v2: 30, v2beta1: 9, v2beta2: 1 }],
  batch: [17_400, { v1: 15, v1beta1: 9, v2alpha1: 9 }],
  'certificates.k8s.io': [17_300, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'networking.k8s.io': [17_200, { v1: 15, v1beta1: 9 }],
  policy: [17_100, { v1: 15, v1beta1: 9 }],
  'rbac.authorization.k8s.io': [17_000, { v1: 15 }],
  'storage.k8s.io': [16_800, { v1: 15, v1beta1: 9, v1alpha1: 1 }],
  'apiextensions.k8s.io': [16_700, { v1: 15 }],
  'admissionregistration.k8s.io': [16_700, { v1: 15, v1beta1: 12, v1alpha1: 9 }],
  'scheduling.k8s.io': [16_600, { v1: 15, v1alpha2: 2, v1alpha1: 1 }],
  'coordination.k8s.io': [16_500, { v1: 15, v1beta1: 13, v1alpha2: 12 }],
  'node.k8s.io': [16_300, { v1: 15, v1alpha1: 1, v1beta1: 9 }],
  'discovery.k8s.io': [16_200, { v1: 15, v1beta1: 12 }],
  'resource.k8s.io': [16_200, { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 }],
  'flowcontrol.apiserver.k8s.io': [16_100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 }],
  'internal.apiserver.k8s.io': [16_000, { v1alpha1: 9 }],
  'storagemigration.k8s.io': [15_800, { v1beta1: 9, v1alpha1: 9 }],
};

/** Returns undefined for a group-version of no release. */
function builtinPriority({ group, version }: GroupVersion): APIServicePriority | undefined {
  const [priority, versions] = builtin[group] ?? [0, {}];
  return versions[version] === undefined ? undefined : { group: priority, version: versions[version] };
}

/**
 * Returns the priorities of the group-versions that are always served. User-defined groups come after the groups of the
 * release; upstream has none. Their versions keep the order of the catalog, preferred version first.
 */
export function catalogPriorities(groupVersions: readonly GroupVersion[]): Map<GroupVersion, APIServicePriority> {
  const ranks = new Map<string, number>();
  return new Map(
    groupVersions.map((one) => {
      const rank = ranks.get(one.group) ?? 0;
      ranks.set(one.group, rank + 1);
      return [one, builtinPriority(one) ?? { group: 1000, version: Math.max(1, crdPriority.version - rank) }];
    }),
  );
}
