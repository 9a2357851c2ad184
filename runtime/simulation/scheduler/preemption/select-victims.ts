import type { PodDisruptionBudget } from '../../../../generated/v1.35/policy/v1/types.ts';
import { labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import { SelectorError } from '../../../machinery/selectors/selector-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodFilter } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { addPodTo, removePodFrom, runFiltersWithNominatedPods } from '../framework/profile.ts';
import { isStatus, type Status } from '../framework/status.ts';

/** Pods that must leave a node for another pod. (extender/v1 Victims) */
export interface Victims {
  readonly node: string;
  /** The pods, the most important first. */
  readonly pods: readonly PodInfo[];
  readonly numPDBViolations: number;
}

const noVictims: Status = {
  code: 'UnschedulableAndUnresolvable',
  reasons: ['No preemption victims found for incoming pod'],
};

/**
 * Returns the fewest and least important pods whose eviction lets the pod fit. (SelectVictimsOnNode)
 *
 * @param node a copy; it is changed
 * @param filters copies; they are changed
 */
export function selectVictimsOnNode(
  pod: PodInfo,
  node: NodeInfo,
  filters: readonly PodFilter[],
  { budgets, nominated }: { budgets: readonly PodDisruptionBudget[]; nominated: ReadonlyMap<string, PodInfo> },
): Victims | Status {
  const potential = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  if (potential.length === 0) return noVictims;
  for (const other of potential) removePodFrom(node, other, filters);
  const fits = (): Status | undefined => runFiltersWithNominatedPods(filters, node, pod, nominated);
  const status = fits();
  if (status !== undefined) return status;
  const victims: PodInfo[] = [];
  const reprieve = (other: PodInfo): boolean => {
    addPodTo(node, other, filters);
    if (fits() === undefined) return true;
    removePodFrom(node, other, filters);
    victims.push(other);
    return false;
  };
  const { violating, others } = filterPodsWithPDBViolation(potential.sort(moreImportantFirst), budgets);
  const numPDBViolations = violating.filter((other) => !reprieve(other)).length;
  for (const other of others) reprieve(other);
  return { node: node.name, pods: victims.sort(moreImportantFirst), numPDBViolations };
}

export const areVictims = (result: Victims | Status): result is Victims => !isStatus(result);

/** Orders pods by priority, then by age. (MoreImportantPod) */
const moreImportantFirst = (a: PodInfo, b: PodInfo): number => b.priority - a.priority || startOf(a) - startOf(b);

/** A pod that has not started counts as the last. */
export const startOf = ({ pod }: PodInfo): number => (pod.status?.startTime ? Date.parse(pod.status.startTime) : Number.MAX_SAFE_INTEGER);

/**
 * Separates the pods whose disruption would exceed a budget. Pods before a pod use up its budgets.
 * (filterPodsWithPDBViolation)
 */
function filterPodsWithPDBViolation(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { violating: PodInfo[]; others: PodInfo[] } {
  const counted = budgets.flatMap(({ metadata, spec, status }) => {
    const matches = matcherOf(spec?.selector);
    const allowed = status?.disruptionsAllowed ?? 0;
    return matches ? [{ namespace: metadata.namespace, matches, allowed, disrupted: status?.disruptedPods ?? {} }] : [];
  });
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    let isViolating = false;
    for (const budget of counted) {
      if (budget.namespace !== info.namespace || !budget.matches(info.group.labels)) continue;
      if (Object.hasOwn(budget.disrupted, info.name)) continue;
      budget.allowed--;
      isViolating ||= budget.allowed < 0;
    }
    (isViolating ? violating : others).push(info);
  }
  return { violating, others };
}

/** Returns undefined for an empty or invalid selector, which matches nothing. */
function matcherOf(
  given: NonNullable<PodDisruptionBudget['spec']>['selector'],
): ((labels: Readonly<Record<string, string>>) => boolean) | undefined {
  try {
    const selector = labelSelectorFromObject(given);
    return selector.isEmpty ? undefined : (labels) => Object.keys(labels).length > 0 && selector.matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
