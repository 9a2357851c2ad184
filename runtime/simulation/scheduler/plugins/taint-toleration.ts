import type { Node, Taint } from '../../../../generated/v1.35/core/v1/types.ts';
import { findUntoleratedTaint, isDoNotScheduleTaint, tolerationsTolerateTaint } from '../../../kinds/core/scheduling/taints.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import { defaultNormalizeScore, type FilterPlugin, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unresolvable } from '../framework/status.ts';

const name = 'TaintToleration';
const status = unresolvable(name, 'node(s) had untolerated taint(s)');

const isRepelled = ({ pod }: PodInfo, node: Node | undefined): boolean =>
  findUntoleratedTaint(node?.spec?.taints, pod.spec?.tolerations, isDoNotScheduleTaint) !== undefined;

function becameTolerable(pod: PodInfo, { before, after }: EventObjects): boolean {
  return (!before || isRepelled(pod, before as Node)) && !isRepelled(pod, after as Node);
}

/** (plugins/tainttoleration) */
export const taintToleration: FilterPlugin & ScorePlugin = {
  name,
  hints: { NodeAdd: becameTolerable, NodeTaint: becameTolerable },
  weight: 3,
  preFilter: (pod) => ({ filter: ({ node }) => (node?.spec?.taints && isRepelled(pod, node) ? status : undefined) }),
  preScore({ pod }, feasible) {
    if (!feasible.some(({ node }) => node?.spec?.taints?.some(isPreferNoSchedule))) return undefined;
    const tolerations = pod.spec?.tolerations?.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
    const countIntolerable = (taints: readonly Taint[] = []): number =>
      taints.filter((taint) => isPreferNoSchedule(taint) && !tolerationsTolerateTaint(tolerations, taint)).length;
    return {
      score: ({ node }) => countIntolerable(node?.spec?.taints),
      normalize: (scores) => defaultNormalizeScore(scores, true),
    };
  },
};

const isPreferNoSchedule = ({ effect }: Taint): boolean => effect === 'PreferNoSchedule';
