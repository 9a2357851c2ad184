import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodDisruptionBudget } from '../../../generated/v1.35/policy/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { scaledIntOrPercent } from '../../machinery/scalars/int-or-string.ts';
import { controllerOf } from '../controller-ref-manager.ts';
import type { ControllerScales } from './controller-scales.ts';

/** The expected and the required number of pods of a budget. (pkg/controller/disruption getExpectedPodCount) */
export interface ExpectedPods {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  /** Names of pods without a controller, if controllers were needed. */
  readonly unmanaged: readonly string[];
}

/**
 * @param pods the pods that the budget selects
 * @throws Error if the scale of a pod's controller cannot be read
 */
export async function expectedPodCount(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  scales: ControllerScales,
): Promise<ExpectedPods> {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    const isGiven = minAvailable !== undefined;
    return { expectedPods: isGiven ? pods.length : 0, desiredHealthy: minAvailable ?? 0, unmanaged: [] };
  }
  const { expectedPods, unmanaged } = await expectedScale(pods, scales);
  if (maxUnavailable === undefined) {
    return { expectedPods, desiredHealthy: scaledIntOrPercent(minAvailable, expectedPods, true), unmanaged };
  }
  const unavailable = scaledIntOrPercent(maxUnavailable, expectedPods, true);
  return { expectedPods, desiredHealthy: Math.max(0, expectedPods - unavailable), unmanaged };
}

/** Returns the sum of the scales of all controllers of the pods. */
async function expectedScale(pods: readonly Pod[], scales: ControllerScales): Promise<Pick<ExpectedPods, 'expectedPods' | 'unmanaged'>> {
  const replicas = new Map<string, number>();
  const asked = new Set<string>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const reference = controllerOf(pod);
    const { name = '', namespace = '' } = pod.metadata;
    if (reference === undefined) unmanaged.push(name);
    if (reference === undefined || asked.has(reference.uid)) continue;
    const scale = await scales.find(reference, namespace);
    if (scale === undefined) throw new Error(`found no controllers for pod ${quote(name)}`);
    asked.add(reference.uid);
    replicas.set(scale.uid, scale.replicas);
  }
  return { expectedPods: [...replicas.values()].reduce((sum, one) => sum + one, 0), unmanaged };
}
