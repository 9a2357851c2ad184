import type { DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { defined } from '../../machinery/json/defined.ts';
import { isPodAvailable, isPodTerminal } from '../pod-control/pod-states.ts';
import { hashLabel, isPodUpdated, surgeCount, targetNodeName } from './daemon-set-util.ts';
import type { Placement } from './node-placement.ts';

/** The state of one daemon set's sync. */
export interface DaemonWork {
  readonly daemonSet: DaemonSet;
  /** The hash of the current revision. */
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly placementOn: (node: Node) => Placement;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The pods to create and to delete for a daemon set. */
export interface PodChanges {
  readonly nodesNeedingPods: string[];
  readonly podsToDelete: Pod[];
}

/** The treatment of pods that have ended. */
export interface EndedPods {
  /** Reports whether a failed pod on a node may be deleted now rather than later. */
  mayDeleteFailed(pod: Pod, node: string): boolean;
  onSucceeded(pod: Pod, node: string): void;
}

export type NodePods = ReadonlyMap<string, readonly Pod[]>;

/**
 * Returns pods by their current or intended node, without pods that have ended and will be deleted.
 * (getNodesToDaemonPods)
 */
export function podsByNode(pods: Iterable<Pod>): Map<string, Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp && isPodTerminal(pod)) continue;
    const node = targetNodeName(pod);
    if (node === undefined) continue;
    const others = byNode.get(node);
    if (others === undefined) byNode.set(node, [pod]);
    else others.push(pod);
  }
  return byNode;
}

/** Returns the pods to create and delete, so that each node has its pod. (manage) */
export function managedPods(work: DaemonWork, nodePods: NodePods, ended: EndedPods): PodChanges {
  const changes: PodChanges = { nodesNeedingPods: [], podsToDelete: [] };
  const names = new Set<string>();
  for (const node of work.nodes) {
    names.add(node.metadata.name ?? '');
    podsShouldBeOnNode(node, work, { nodePods, ended, changes });
  }
  // no other component deletes pods that wait for a deleted node
  for (const [node, pods] of nodePods) {
    if (names.has(node)) continue;
    for (const pod of pods) if (!pod.spec?.nodeName) changes.podsToDelete.push(pod);
  }
  return changes;
}

/** (podsShouldBeOnNode) */
function podsShouldBeOnNode(
  node: Node,
  work: DaemonWork,
  { nodePods, ended, changes }: { nodePods: NodePods; ended: EndedPods; changes: PodChanges },
): void {
  const { name = '' } = node.metadata;
  const { shouldRun, shouldContinueRunning } = work.placementOn(node);
  const pods = nodePods.get(name);
  if (pods === undefined) {
    if (shouldRun) changes.nodesNeedingPods.push(name);
    return;
  }
  const present = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (!shouldContinueRunning) {
    changes.podsToDelete.push(...present);
    return;
  }
  const running = present.filter((pod) => {
    const { phase } = pod.status ?? {};
    if (phase === 'Failed' && ended.mayDeleteFailed(pod, name)) changes.podsToDelete.push(pod);
    if (phase === 'Succeeded') {
      ended.onSucceeded(pod, name);
      changes.podsToDelete.push(pod);
    }
    return phase !== 'Failed' && phase !== 'Succeeded';
  });
  const allowsSurge = surgeCount(work.daemonSet, 1) > 0;
  if (running.length > 1) changes.podsToDelete.push(...(allowsSurge ? surplusOfSurge(running, work) : surplus(running)));
  else if (running.length === 0 && allowsSurge && shouldRun) changes.nodesNeedingPods.push(name);
}

/** Returns all but the oldest pod. */
const surplus = (running: readonly Pod[]): Pod[] => oldestFirst(running).slice(1);

/** Returns the surplus pods during a surge. A node may have a ready old pod, and a new one until that is available. */
function surplusOfSurge(running: readonly Pod[], { daemonSet, hash, now }: DaemonWork): Pod[] {
  const sorted = oldestFirst(running);
  const isNew = ({ metadata: { labels } }: Pod): boolean => labels?.[hashLabel] === hash;
  const oldestNew = sorted.find(isNew);
  const oldestOld = sorted.find((pod) => !isNew(pod));
  const toDelete = sorted.filter((pod) => pod !== oldestNew && pod !== oldestOld);
  if (oldestNew === undefined || oldestOld === undefined) return toDelete;
  const isReplaced = !isPodReady(oldestOld) || isPodAvailable(oldestNew, daemonSet.spec?.minReadySeconds ?? 0, now);
  return isReplaced ? [...toDelete, oldestOld] : toDelete;
}

/** Sorts pods with a node first, then by age. (podByCreationTimestampAndPhase) */
export function oldestFirst(pods: readonly Pod[]): readonly Pod[] {
  if (pods.length < 2) return pods;
  const createdAt = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? '');
  return [...pods].sort(
    (a, b) =>
      Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName)) ||
      createdAt(a) - createdAt(b) ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
}

/** Returns the new and the old pod of a node; undefined if there are several of either. (findUpdatedPodsOnNode) */
export function updatedPodsOnNode(
  pods: readonly Pod[],
  { daemonSet, hash }: DaemonWork,
): { readonly newPod?: Pod; readonly oldPod?: Pod } | undefined {
  let newPod: Pod | undefined;
  let oldPod: Pod | undefined;
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp) continue;
    if (isPodUpdated(pod, daemonSet, hash)) {
      if (newPod !== undefined) return undefined;
      newPod = pod;
    } else {
      if (oldPod !== undefined) return undefined;
      oldPod = pod;
    }
  }
  return defined({ newPod, oldPod });
}
