import type { Taint, Toleration } from '../../../generated/v1.35/core/v1/types.ts';
import { toleratesTaint } from '../../kinds/core/scheduling/taints.ts';

/**
 * Returns the milliseconds that a pod may stay on a node: 0 for an immediate eviction, Infinity for none.
 * (pkg/controller/tainteviction getMinTolerationTime, v1helper.GetMatchingTolerations)
 *
 * @param taints the evicting taints
 */
export function tolerationTime(tolerations: readonly Toleration[] = [], taints: readonly Taint[]): number {
  let time = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const used = tolerations.find((toleration) => toleratesTaint(toleration, taint));
    if (used === undefined) return 0;
    const { tolerationSeconds } = used;
    if (tolerationSeconds !== undefined) time = Math.min(time, Math.max(0, Number(tolerationSeconds)) * 1000);
  }
  return time;
}

/** Returns the taints that evict pods. */
export const noExecuteTaints = (taints: readonly Taint[] = []): Taint[] => taints.filter(({ effect }) => effect === 'NoExecute');
