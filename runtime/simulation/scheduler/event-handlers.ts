import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodTerminal } from '../../controllers/pod-control/pod-states.ts';
import { podRequests } from '../../kinds/core/pod/resources.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { ResourceEventHandler } from '../../reconcile/informers/shared-informer.ts';
import type { SchedulerCache } from './cache/cache.ts';
import type { ClusterEvent } from './framework/cluster-event.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

/** Applies changes of the cluster to the cache and the queue. (pkg/scheduler/eventhandlers.go) */

/** The only profile. */
export const defaultSchedulerName = 'default-scheduler';

interface SchedulerState {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
}

const isAssigned = ({ spec }: Pod): boolean => Boolean(spec?.nodeName);
const isOurs = ({ spec }: Pod): boolean => (spec?.schedulerName || defaultSchedulerName) === defaultSchedulerName;
const uidOf = ({ metadata: { uid = '' } }: Pod): string => uid;

/** Handles changes of pods. A finished pod counts as deleted. */
export function podHandler({ cache, queue }: SchedulerState): ResourceEventHandler<Pod> {
  const onAdd = (pod: Pod): void => {
    if (isPodTerminal(pod)) return;
    if (isAssigned(pod)) {
      cache.setPod(pod);
      queue.moveAllToActiveOrBackoffQueue('AssignedPodAdd', { before: undefined, after: pod });
    } else if (isOurs(pod)) queue.add(pod);
  };
  const onDelete = (pod: Pod): void => {
    const uid = uidOf(pod);
    const madeRoom = isAssigned(pod) || cache.isAssumed(uid) || queue.nominator.nodeOf(uid) !== undefined;
    queue.delete(uid);
    cache.removePod(uid);
    if (madeRoom) queue.moveAllToActiveOrBackoffQueue('AssignedPodDelete', { before: pod, after: undefined });
  };
  return {
    onAdd,
    onDelete(last) {
      if (!isPodTerminal(last)) onDelete(last);
    },
    onUpdate(before, after) {
      if (isPodTerminal(before)) {
        if (uidOf(before) !== uidOf(after)) onAdd(after);
      } else if (isPodTerminal(after) || uidOf(before) !== uidOf(after)) {
        onDelete(before);
        onAdd(after);
      } else if (!isAssigned(after)) {
        if (isOurs(after)) queue.update(before, after);
      } else if (!isAssigned(before)) {
        queue.delete(uidOf(after));
        onAdd(after);
      } else {
        cache.setPod(after);
        const objects = { before, after };
        if (!semanticDeepEqual(before.metadata.labels, after.metadata.labels)) {
          queue.moveAllToActiveOrBackoffQueue('AssignedPodLabel', objects);
        }
        if (isScaledDown(before, after)) queue.moveAllToActiveOrBackoffQueue('AssignedPodScaleDown', objects);
      }
    },
  };
}

/** Reports whether a pod requests less of some resource than before. */
function isScaledDown(before: Pod, after: Pod): boolean {
  if (before.metadata.generation === after.metadata.generation) return false;
  const requests = podRequests(after);
  return [...podRequests(before)].some(([name, amount]) => {
    const now = requests.get(name);
    return now === undefined || compareQuantities(now, amount) < 0;
  });
}

export function nodeHandler({ cache, queue }: SchedulerState): ResourceEventHandler<Node> {
  return {
    onAdd(node) {
      cache.setNode(node);
      queue.moveAllToActiveOrBackoffQueue('NodeAdd', { before: undefined, after: node });
    },
    onUpdate(before, after) {
      cache.setNode(after);
      const objects = { before, after };
      if (!semanticDeepEqual(before.status?.allocatable, after.status?.allocatable)) {
        queue.moveAllToActiveOrBackoffQueue('NodeAllocatable', objects);
      }
      if (!semanticDeepEqual(before.metadata.labels, after.metadata.labels)) {
        queue.moveAllToActiveOrBackoffQueue('NodeLabel', objects);
      }
      const wasCordoned = before.spec?.unschedulable === true;
      const isCordoned = after.spec?.unschedulable === true;
      if (wasCordoned !== isCordoned || !semanticDeepEqual(before.spec?.taints, after.spec?.taints)) {
        queue.moveAllToActiveOrBackoffQueue('NodeTaint', objects);
      }
    },
    onDelete: ({ metadata: { name = '' } }) => cache.removeNode(name),
  };
}

/** Returns a handler that tells the queue of each addition and update of an object. */
export function storageHandler<T extends KubeObject>(
  { queue }: Pick<SchedulerState, 'queue'>,
  event: ClusterEvent,
): ResourceEventHandler<T> {
  const moveWaitingPods = (before: T | undefined, after: T | undefined): void =>
    queue.moveAllToActiveOrBackoffQueue(event, { before, after });
  return { onAdd: (object) => moveWaitingPods(undefined, object), onUpdate: moveWaitingPods };
}
