import type { Taint, Toleration } from '../../../generated/v1.35/core/v1/types.ts';
import { toleratesTaint } from '../../kinds/core/scheduling/taints.ts';

/**
 * How long a pod may stay on a node, in milliseconds: 0 if it has to go at once, Infinity if it may stay for ever.
 * (pkg/controller/tainteviction getMinTolerationTime, v1helper.GetMatchingTolerations)
 *
 * @param taints those that evict
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

/** The taints that evict pods. */
export const noExecuteTaints = (taints: readonly Taint[] = []): Taint[] => taints.filter(({ effect }) => effect === 'NoExecute');
