import type { DaemonSet, DaemonSetStatus } from '../../../generated/v1.35/apps/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { omitZeros } from '../../machinery/json/omit-zeros.ts';
import { isPodAvailable } from '../pod-control/pod-states.ts';
import { type DaemonWork, type NodePods, oldestFirst } from './daemon-pods.ts';
import { isPodUpdated } from './daemon-set-util.ts';

/** The counts of a status, all present. */
export type DaemonCounts = Required<Omit<DaemonSetStatus, 'observedGeneration' | 'collisionCount' | 'conditions'>>;

/** (updateDaemonSetStatus) */
export function daemonCounts(work: DaemonWork, onNodes: NodePods): DaemonCounts {
  const { daemonSet, hash, now } = work;
  const counts = {
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    numberMisscheduled: 0,
    numberReady: 0,
    updatedNumberScheduled: 0,
    numberAvailable: 0,
  };
  for (const node of work.nodes) {
    const pods = onNodes.get(node.metadata.name ?? '');
    const [pod] = pods === undefined ? [] : oldestFirst(pods);
    if (!work.placementOn(node).shouldRun) {
      if (pod !== undefined) counts.numberMisscheduled++;
      continue;
    }
    counts.desiredNumberScheduled++;
    if (pod === undefined) continue;
    counts.currentNumberScheduled++;
    if (isPodReady(pod)) {
      counts.numberReady++;
      if (isPodAvailable(pod, daemonSet.spec?.minReadySeconds ?? 0, now)) counts.numberAvailable++;
    }
    if (isPodUpdated(pod, daemonSet, hash)) counts.updatedNumberScheduled++;
  }
  return { ...counts, numberUnavailable: counts.desiredNumberScheduled - counts.numberAvailable };
}

/** Reports whether the status lacks these counts, or is of an older generation. */
export function isStatusOutdated({ metadata, status }: DaemonSet, counts: DaemonCounts): boolean {
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return true;
  return Object.entries(counts).some(([name, count]) => (status?.[name as keyof DaemonCounts] ?? 0) !== count);
}

/** Returns the status with other counts. (storeDaemonSetStatus) */
export function withCounts(
  { status }: DaemonSet,
  { updatedNumberScheduled, numberAvailable, numberUnavailable, ...counts }: DaemonCounts,
  observedGeneration: number | undefined,
): DaemonSetStatus {
  const { collisionCount, conditions } = status ?? {};
  return {
    ...counts,
    ...omitZeros({ observedGeneration, updatedNumberScheduled, numberAvailable, numberUnavailable }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions !== undefined && { conditions }),
  };
}
