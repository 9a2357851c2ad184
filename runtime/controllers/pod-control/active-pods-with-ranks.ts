import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { deletionCost } from '../../kinds/core/pod/annotations.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { compareRestarts, compareStates } from './active-pods.ts';
import { podCondition } from './pod-states.ts';

/** A pod with the number of pods on its node. The higher it is, the earlier the pod is deleted. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/**
 * Compares pods by deletion preference. First: pods that are not assigned, not running or not ready. Then: pods that
 * cost less, share their node with more others, were ready for a shorter time, restarted more often, or are younger.
 * Times are compared by order of magnitude, so that the youngest pods are not always deleted. (pkg/controller
 * ActivePodsWithRanks)
 *
 * @param now milliseconds since the epoch
 */
export function byDeletionPreference(now: number): (a: RankedPod, b: RankedPod) => number {
  return (a, b) =>
    compareStates(a.pod, b.pod) ||
    deletionCost(a.pod.metadata.annotations) - deletionCost(b.pod.metadata.annotations) ||
    b.rank - a.rank ||
    compareReadyTimes(a.pod, b.pod, now) ||
    compareRestarts(a.pod, b.pod) ||
    compareTimes(a, b, now);
}

function compareReadyTimes(a: Pod, b: Pod, now: number): number {
  if (!isPodReady(a) || !isPodReady(b)) return 0;
  const [first, second] = [a, b].map((pod) => podCondition(pod, 'Ready')?.lastTransitionTime);
  return first === second ? 0 : compareAges({ pod: a, time: first }, { pod: b, time: second }, now);
}

function compareTimes({ pod: a }: RankedPod, { pod: b }: RankedPod, now: number): number {
  const [first, second] = [a, b].map(({ metadata }) => metadata.creationTimestamp);
  return first === second ? 0 : compareAges({ pod: a, time: first }, { pod: b, time: second }, now);
}

interface PodSince {
  readonly pod: Pod;
  readonly time: string | null | undefined;
}

/** Compares ages, youngest first. A missing time is the youngest. */
function compareAges(a: PodSince, b: PodSince, now: number): number {
  if (!a.time || !b.time) return a.time ? 1 : b.time ? -1 : 0;
  const difference = magnitude(a.time, now) - magnitude(b.time, now);
  return difference || compareStrings(a.pod.metadata.uid ?? '', b.pod.metadata.uid ?? '');
}

/** Returns the binary logarithm of the elapsed nanoseconds. (logarithmicRankDiff) */
function magnitude(time: string, now: number): number {
  const passed = now - Date.parse(time);
  return passed > 0 ? Math.trunc(Math.log2(passed * 1e6)) : -1;
}
