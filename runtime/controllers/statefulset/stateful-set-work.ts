import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { scaledIntOrPercent } from '../../machinery/scalars/int-or-string.ts';
import { isPodAvailable } from '../pod-control/pod-states.ts';
import type { VersionedSets } from './new-stateful-pod.ts';
import { isRunningAndReady } from './stateful-set-status.ts';
import { endOrdinal, isInOrdinalRange, ordinalOf, podRevision, startOrdinal } from './stateful-set-utils.ts';

/** A set during its sync. */
export interface Work {
  readonly set: StatefulSet;
  readonly sets: VersionedSets;
  /** Pods by ordinal, for the ordinals in the set's range. */
  readonly replicas: ReadonlyMap<number, Pod>;
  /** All other pods, from the highest ordinal down. */
  readonly condemned: readonly Pod[];
  readonly now: number;
}

export function newWork(set: StatefulSet, sets: VersionedSets, pods: readonly Pod[], now: number): Work {
  const replicas = new Map<number, Pod>();
  const condemned: Pod[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(pod);
    if (isInOrdinalRange(pod, set)) replicas.set(ordinal, pod);
    else if (ordinal >= 0) condemned.push(pod);
  }
  condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a));
  return { set, sets, replicas, condemned, now };
}

export const isUnavailable = (pod: Pod, { set, now }: Work): boolean =>
  Boolean(pod.metadata.deletionTimestamp) || !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);

/** Reports whether later pods need not wait for this one. */
export const isSteady = (pod: Pod, work: Work): boolean => isRunningAndReady(pod) && !isUnavailable(pod, work);

/**
 * Returns the pods of a rolling update that may be deleted now, from the highest ordinal down.
 *
 * @param hasMaxUnavailable whether several may be unavailable at once, as the gate MaxUnavailableStatefulSet allows
 */
export function outdatedPods(work: Work, hasMaxUnavailable: boolean): Pod[] {
  const { set, replicas } = work;
  const { partition = 0, maxUnavailable = 1 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const lowest = startOrdinal(set) + partition;
  if (!hasMaxUnavailable) return highestOutdatedPod(work, lowest);
  const wanted = set.spec?.replicas ?? 1;
  const most = Math.max(1, scaledIntOrPercent(maxUnavailable, wanted, false));
  let unavailable = wanted - replicas.size;
  for (const pod of replicas.values()) if (isUnavailable(pod, work)) unavailable++;
  const descending = [...replicas].filter(([ordinal]) => ordinal >= lowest).sort(([a], [b]) => b - a);
  const outdated = descending.map(([, pod]) => pod).filter((pod) => isOutdated(pod, work));
  return outdated.slice(0, Math.max(0, most - unavailable));
}

/** Returns one outdated pod, once all pods above it are available. */
function highestOutdatedPod(work: Work, lowest: number): Pod[] {
  for (let ordinal = endOrdinal(work.set); ordinal >= lowest; ordinal--) {
    const pod = work.replicas.get(ordinal);
    if (pod !== undefined && isOutdated(pod, work)) return [pod];
    if (pod === undefined || isUnavailable(pod, work)) return [];
  }
  return [];
}

const isOutdated = (pod: Pod, { sets }: Work): boolean => podRevision(pod) !== sets.updateRevision && !pod.metadata.deletionTimestamp;
