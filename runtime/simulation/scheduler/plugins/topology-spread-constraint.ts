import type { TopologySpreadConstraint as Constraint, Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { requiredNodeAffinity } from '../../../kinds/core/scheduling/node-affinity.ts';
import { findUntoleratedTaint, isDoNotScheduleTaint } from '../../../kinds/core/scheduling/taints.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Nodes } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** A constraint of one pod. (plugins/podtopologyspread topologySpreadConstraint) */
export interface TopologySpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: LabelSelector;
  /** Reports whether the node's pods count. Absent if all count. (matchNodeInclusionPolicies) */
  readonly includes: ((node: NodeInfo) => boolean) | undefined;
}

/** Returns the constraints of a pod that must be satisfied, or that should be. (filterTopologySpreadConstraints) */
export function constraintsOf(
  info: PodInfo,
  given: readonly Constraint[],
  action: 'DoNotSchedule' | 'ScheduleAnyway',
): TopologySpreadConstraint[] {
  const { pod } = info;
  const wantsNodes = pod.spec?.nodeSelector ?? pod.spec?.affinity?.nodeAffinity;
  const isWanted = requiredNodeAffinity(pod);
  const isTolerated = ({ spec }: Node): boolean =>
    !spec?.taints || findUntoleratedTaint(spec.taints, pod.spec?.tolerations, isDoNotScheduleTaint) === undefined;
  return given
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => {
      const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
      const honorsAffinity = nodeAffinityPolicy !== 'Ignore' && wantsNodes !== undefined;
      const honorsTaints = nodeTaintsPolicy === 'Honor';
      const includes = ({ node }: NodeInfo): boolean =>
        node !== undefined && (!honorsAffinity || isWanted(node)) && (!honorsTaints || isTolerated(node));
      return {
        topologyKey,
        maxSkew,
        minDomains,
        selector: selectorOf(constraint, info),
        includes: honorsAffinity || honorsTaints ? includes : undefined,
      };
    });
}

/** Returns the selector of a constraint. It also requires the pod's values of the labels in matchLabelKeys. */
function selectorOf({ labelSelector, matchLabelKeys }: Constraint, { pod }: PodInfo): LabelSelector {
  const labels = pod.metadata.labels ?? {};
  const keys = matchLabelKeys?.filter((key) => Object.hasOwn(labels, key)) ?? [];
  if (!labelSelector || keys.length === 0) return labelSelectorFromObject(labelSelector);
  const same = keys.map((key) => ({ key, operator: 'In', values: [labels[key] ?? ''] }));
  return labelSelectorFromObject({
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...same],
  });
}

/**
 * Returns the number of matching pods that are not being deleted, by node. An empty selector counts none.
 * (countPodsMatchSelector)
 */
export const countPods = (
  { podGroups }: Nodes,
  { selector }: Pick<TopologySpreadConstraint, 'selector'>,
  namespace: string,
): ReadonlyMap<NodeInfo, number> => (selector.isEmpty ? noPods : podGroups.count(namespace, selector));

const noPods: ReadonlyMap<NodeInfo, number> = new Map();

/** (nodeLabelsMatchSpreadConstraints) */
export function hasAllTopologies({ labels }: NodeInfo, constraints: readonly TopologySpreadConstraint[]): boolean {
  for (const { topologyKey } of constraints) if (!Object.hasOwn(labels, topologyKey)) return false;
  return true;
}
