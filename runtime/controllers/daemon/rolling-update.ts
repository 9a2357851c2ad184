import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodAvailable } from '../pod-control/pod-states.ts';
import { type DaemonWork, type NodePods, type PodChanges, updatedPodsOnNode } from './daemon-pods.ts';
import { surgeCount, unavailableCount } from './daemon-set-util.ts';

/**
 * Returns the next changes of a rolling update. (pkg/controller/daemon/update.go rollingUpdate) @throws Error for
 * invalid percentages
 */
export function rollingUpdate(work: DaemonWork, pods: NodePods): PodChanges {
  const { daemonSet, nodes, placementOn } = work;
  const desired = nodes.filter((node) => placementOn(node).shouldRun);
  const maxSurge = surgeCount(daemonSet, desired.length);
  const maxUnavailable = unavailableCount(daemonSet, desired.length);
  const onNodes = new Map(pods);
  for (const { metadata } of desired) if (!onNodes.has(metadata.name ?? '')) onNodes.set(metadata.name ?? '', []);
  if (maxSurge > 0) return surge(work, onNodes, { maxSurge, desired: desired.length });
  return replace(work, onNodes, desired.length > 0 && maxUnavailable === 0 ? 1 : maxUnavailable);
}

const isAvailable = (pod: Pod, { daemonSet, now }: DaemonWork): boolean => isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now);

/** Deletes old pods: all unavailable ones, and as many others as maxUnavailable allows. */
function replace(work: DaemonWork, onNodes: NodePods, maxUnavailable: number): PodChanges {
  const replaceable: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const pods of onNodes.values()) {
    const found = updatedPodsOnNode(pods, work);
    const { newPod, oldPod } = found ?? {};
    if ((newPod === undefined) === (oldPod === undefined)) {
      // surplus or missing pods are corrected before the update continues
      unavailable++;
    } else if (newPod !== undefined) {
      if (!isAvailable(newPod, work)) unavailable++;
    } else if (oldPod !== undefined) {
      if (isAvailable(oldPod, work)) candidates.push(oldPod);
      else {
        replaceable.push(oldPod);
        unavailable++;
      }
    }
  }
  const remaining = Math.max(0, maxUnavailable - unavailable);
  return { nodesNeedingPods: [], podsToDelete: [...replaceable, ...candidates.slice(0, remaining)] };
}

/** Creates new pods beside old ones. Deletes an old pod when its replacement is available. */
function surge(
  work: DaemonWork,
  onNodes: NodePods,
  { maxSurge, desired }: { readonly maxSurge: number; readonly desired: number },
): PodChanges {
  const podsToDelete: Pod[] = [];
  const misplaced: Pod[] = [];
  const replaceable: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  const nodes = new Map<string, Node>(work.nodes.map((node) => [node.metadata.name ?? '', node]));
  for (const [name, pods] of onNodes) {
    const found = updatedPodsOnNode(pods, work);
    if (found === undefined) {
      surging++;
      continue;
    }
    const { newPod, oldPod } = found;
    const serving = oldPod ?? newPod;
    if (serving !== undefined && isAvailable(serving, work)) available++;
    if (oldPod === undefined) continue;
    if (newPod !== undefined) {
      if (isAvailable(newPod, work)) podsToDelete.push(oldPod);
      else surging++;
      continue;
    }
    const node = nodes.get(name);
    const belongs = node !== undefined && work.placementOn(node).shouldRun;
    if (isAvailable(oldPod, work)) {
      if (belongs) candidates.push(name);
      else misplaced.push(oldPod);
    } else if (belongs) replaceable.push(name);
    else podsToDelete.push(oldPod);
  }
  // a misplaced pod serves until enough others are available
  const deletable = misplaced.slice(0, Math.max(0, available - desired));
  const remaining = Math.max(0, maxSurge - surging);
  return {
    nodesNeedingPods: [...replaceable, ...candidates.slice(0, remaining)],
    podsToDelete: [...podsToDelete, ...deletable],
  };
}
