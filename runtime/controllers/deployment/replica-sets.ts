import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { podTemplateHashLabel } from './pod-template-hash.ts';

/**
 * Queries on the ReplicaSets of a deployment. (pkg/controller/deployment/util/deployment_util.go, controller_utils.go)
 */

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** Returns the desired replicas of an object. */
export const replicasOf = ({ spec }: { readonly spec?: { readonly replicas?: number } }): number => spec?.replicas ?? 0;

/** (ReplicaSetsByCreationTimestamp) */
export const byCreation: Order = ({ metadata: a }, { metadata: b }) =>
  compareStrings(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compareStrings(a.name ?? '', b.name ?? '');

/** Compares sets by size, largest first, then by age, oldest first. (ReplicaSetsBySizeOlder) */
export const bySizeOlder: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(a, b);

/** Compares sets by size, largest first, then by age, newest first. (ReplicaSetsBySizeNewer) */
export const bySizeNewer: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** (EqualIgnoreHash) */
export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return equalJson(withoutHash(a), withoutHash(b));
}

/** Returns the template without the hash label. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [podTemplateHashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Returns the sets with desired replicas. (FilterActiveReplicaSets) */
export const activeSets = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter((set) => replicasOf(set) > 0);

/**
 * Returns the only active set, or the newest set if none is active. Undefined for several active sets, or for no sets.
 * (FindActiveOrLatest)
 */
export function findActiveOrLatest(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = activeSets(newSet === undefined ? oldSets : [...oldSets, newSet]);
  if (active.length === 0) return newSet ?? [...oldSets].sort(byCreation).at(-1);
  return active.length === 1 ? active[0] : undefined;
}

type Count = 'replicas' | 'readyReplicas' | 'availableReplicas';

/** Returns the sum of the sets' desired replicas. (GetReplicaCountForReplicaSets) */
export const wantedReplicas = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + replicasOf(set), 0);

/** Returns the sum of a count in the sets' statuses. (GetActualReplicaCountForReplicaSets and its like) */
export const countReplicas = (sets: readonly ReplicaSet[], count: Count): number =>
  sets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);

/**
 * Returns the sum of terminating pods; undefined if an observed set does not report them.
 * (GetTerminatingReplicaCountForReplicaSets)
 */
export function countTerminating(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { status } of sets) {
    if (status?.terminatingReplicas !== undefined) sum += status.terminatingReplicas;
    else if (status?.observedGeneration) return undefined;
  }
  return sum;
}
