import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { podTemplateHashLabel } from './pod-template-hash.ts';

/** What is asked of the ReplicaSets of a deployment. (pkg/controller/deployment/util/deployment_util.go, controller_utils.go) */

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** How many replicas an object wants. */
export const replicasOf = ({ spec }: { readonly spec?: { readonly replicas?: number } }): number => spec?.replicas ?? 0;

/** (ReplicaSetsByCreationTimestamp) */
export const byCreation: Order = ({ metadata: a }, { metadata: b }) =>
  compareStrings(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compareStrings(a.name ?? '', b.name ?? '');

/** From the largest to the smallest, and from old to new. (ReplicaSetsBySizeOlder) */
export const bySizeOlder: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(a, b);

/** From the largest to the smallest, and from new to old. (ReplicaSetsBySizeNewer) */
export const bySizeNewer: Order = (a, b) => replicasOf(b) - replicasOf(a) || byCreation(b, a);

/** (EqualIgnoreHash) */
export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return equalJson(withoutHash(a), withoutHash(b));
}

/** The template without the label with its hash. */
export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [podTemplateHashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Those that have, or ought to have, pods. (FilterActiveReplicaSets) */
export const activeSets = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter((set) => replicasOf(set) > 0);

/**
 * The only active one, or the newest if none is active. Undefined if several are, or there is none. (FindActiveOrLatest)
 */
export function findActiveOrLatest(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = activeSets(newSet === undefined ? oldSets : [...oldSets, newSet]);
  if (active.length === 0) return newSet ?? [...oldSets].sort(byCreation).at(-1);
  return active.length === 1 ? active[0] : undefined;
}

type Count = 'replicas' | 'readyReplicas' | 'availableReplicas';

/** How many replicas the sets want. (GetReplicaCountForReplicaSets) */
export const wantedReplicas = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + replicasOf(set), 0);

/** How many there are, according to statuses. (GetActualReplicaCountForReplicaSets and its like) */
export const countReplicas = (sets: readonly ReplicaSet[], count: Count): number =>
  sets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);

/** Undefined if a set that was looked at does not tell. (GetTerminatingReplicaCountForReplicaSets) */
export function countTerminating(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const { status } of sets) {
    if (status?.terminatingReplicas !== undefined) sum += status.terminatingReplicas;
    else if (status?.observedGeneration) return undefined;
  }
  return sum;
}
