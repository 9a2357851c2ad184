import type { Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { parseInt64 } from '../../machinery/selectors/label-requirement.ts';
import { byCreation, replicasOf } from './replica-sets.ts';

/** Annotations of deployments and ReplicaSets. (pkg/controller/deployment/util/deployment_util.go) */

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';

type Annotations = Readonly<Record<string, string>>;

/** The maximum length of the history in characters. (maxRevHistoryLengthInChars) */
const maxRevisionHistoryLength = 2000;

/** Annotations that are not copied between a deployment and its ReplicaSets. (annotationsToSkip) */
const skippedAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** Returns the revision: 0 without the annotation, undefined if it is not a number. (Revision) */
export function revisionOf({ metadata }: KubeObject): bigint | undefined {
  const text = metadata.annotations?.[revisionAnnotation];
  return text === undefined ? 0n : parseInt64(text);
}

/** Compares revisions, oldest first. (ReplicaSetsByRevision) */
export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  if (first === undefined || second === undefined || first === second) return byCreation(a, b);
  return first < second ? -1 : 1;
}

/** (MaxRevision) */
export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  let max = 0n;
  for (const set of sets) {
    const revision = revisionOf(set) ?? 0n;
    if (revision > max) max = revision;
  }
  return max;
}

/** Returns the second highest revision. (LastRevision) */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  let [max, second] = [0n, 0n];
  for (const set of sets) {
    const revision = revisionOf(set);
    if (revision === undefined) continue;
    if (revision >= max) [max, second] = [revision, max];
    else if (revision > second) second = revision;
  }
  return second;
}

/** (SetReplicasAnnotations) */
export const replicasAnnotations = (deployment: Deployment, surge: number): Annotations => ({
  [desiredReplicasAnnotation]: String(replicasOf(deployment)),
  [maxReplicasAnnotation]: String(replicasOf(deployment) + surge),
});

/**
 * Returns the annotations that are copied between deployment and ReplicaSets. (copyDeploymentAnnotationsToReplicaSet)
 */
export function sharedAnnotations({ metadata }: KubeObject): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !skippedAnnotations.has(key)));
}

/** Returns the annotations that a deployment keeps in a rollback. (getSkippedAnnotations) */
export function ownAnnotations({ metadata }: KubeObject): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => skippedAnnotations.has(key)));
}

/**
 * Returns the annotations of the new ReplicaSet, with its deployment's. The previous revision joins its history.
 * (SetNewReplicaSetAnnotations)
 *
 * @returns undefined if the ReplicaSet's revision is not a number
 */
export function newSetAnnotations(deployment: Deployment, set: ReplicaSet, revision: bigint): Annotations | undefined {
  const before = set.metadata.annotations ?? {};
  const annotations: Record<string, string> = { ...before, ...sharedAnnotations(deployment) };
  const text = before[revisionAnnotation];
  const old = text ? parseInt64(text) : 0n;
  if (old === undefined) return undefined;
  if (old >= revision) return annotations;
  annotations[revisionAnnotation] = String(revision);
  if (text !== undefined) {
    const history = historyWith(before[revisionHistoryAnnotation], text);
    if (history !== undefined) annotations[revisionHistoryAnnotation] = history;
  }
  return annotations;
}

/** Returns the history with a revision; undefined if it does not fit. */
function historyWith(history: string | undefined, revision: string): string | undefined {
  if (!history) return revision;
  const revisions = history.split(',');
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > maxRevisionHistoryLength && start < revisions.length; start++) length -= (revisions[start]?.length ?? 0) + 1;
  return length > maxRevisionHistoryLength ? undefined : [...revisions.slice(start), revision].join(',');
}
