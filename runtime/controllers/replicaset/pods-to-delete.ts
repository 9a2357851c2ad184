import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { byDeletionPreference } from '../pod-control/active-pods-with-ranks.ts';
import { isPodActive } from '../pod-control/pod-states.ts';

/**
 * Returns the pods that are deleted first. (getPodsToDelete, getPodsRankedByRelatedPodsOnSameNode)
 *
 * @param relatedPods pods whose number on a node affects the choice; usually a superset of `pods`
 * @param now milliseconds
 */
export function podsToDelete(pods: readonly Pod[], count: number, relatedPods: Iterable<Pod>, now: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const podsOnNode = new Map<string, number>();
  for (const pod of relatedPods) {
    const node = pod.spec?.nodeName ?? '';
    if (isPodActive(pod)) podsOnNode.set(node, (podsOnNode.get(node) ?? 0) + 1);
  }
  const ranked = pods.map((pod) => ({ pod, rank: podsOnNode.get(pod.spec?.nodeName ?? '') ?? 0 }));
  ranked.sort(byDeletionPreference(now));
  return ranked.slice(0, count).map(({ pod }) => pod);
}
