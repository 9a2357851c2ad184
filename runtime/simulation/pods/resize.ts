import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { getPodQOS } from '../../kinds/core/pod/qos.ts';
import { podRequests } from '../../kinds/core/pod/resources.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { allocatedPod, wantedBy } from './allocation.ts';
import { type NodeRoom, shortageFor } from './node-room.ts';
import type { PodTurn } from './pod-turn.ts';

/* In-place resizes of pods. (pkg/kubelet/allocation/allocation_manager.go) */

/** The state of a resize. */
export interface Resize {
  /** The pod with its allocated resources. */
  readonly pod: Pod;
  /** PodResizePending, if the node lacks the requested resources. */
  readonly conditions: readonly PodCondition[];
  /** The first status of a resize. Containers get their resources in the next step. */
  readonly begun?: PodStatus;
}

/** Milliseconds until a deferred resize is retried, unless another pod makes room earlier. */
const retryDelay = 180_000;

/** Allocates the requested resources if the node has them. (handlePodResourcesResize) */
export function nextResize(turn: PodTurn, room: NodeRoom): Resize {
  const { pod, memory, now } = turn;
  const allocated = allocatedPod(pod, memory.allocated);
  if (allocated === pod) return { pod, conditions: [] };
  const { status: _, ...pending } = pod;
  const shortage = shortageFor(podRequests(pending), room);
  if (shortage === undefined) return { pod, conditions: [], begun: begin(turn) };
  if (shortage.reason === 'Deferred') turn.wake(now + retryDelay);
  return { pod: allocated, conditions: [pendingCondition(turn, shortage)] };
}

function begin(turn: PodTurn): PodStatus {
  const { pod, memory, now } = turn;
  const { status = {}, metadata } = pod;
  const before = memory.allocated;
  // at once, so that no other pod gets the same resources
  memory.allocated = wantedBy(pod);
  turn.undo(() => {
    memory.allocated = before;
  });
  turn.wake(now);
  turn.recordEvent({ type: 'Normal', reason: 'ResizeStarted', message: `Pod resize started: ${summaryOf(pod)}` });
  const inProgress = resizeCondition(turn, { type: 'PodResizeInProgress' });
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const { initContainerStatuses: init, containerStatuses: main } = status;
  return {
    ...status,
    ...(metadata.generation ? { observedGeneration: metadata.generation } : {}),
    conditions: [...(status.conditions ?? []).filter(({ type }) => !isResizeCondition(type)), inProgress],
    ...(init ? { initContainerStatuses: withAllocated(init, initContainers) } : {}),
    ...(main ? { containerStatuses: withAllocated(main, containers) } : {}),
  };
}

const withAllocated = (statuses: readonly ContainerStatus[], containers: readonly Container[]): ContainerStatus[] =>
  statuses.map((status) => {
    const requests = containers.find(({ name }) => name === status.name)?.resources?.requests;
    return status.state?.running && requests ? { ...status, allocatedResources: requests } : status;
  });

/** Records the end of a resize in progress: its running containers have their resources. */
export function endResize(turn: PodTurn): void {
  const { pod, recordEvent } = turn;
  const inProgress = pod.status?.conditions?.find(({ type }) => type === 'PodResizeInProgress');
  if (inProgress === undefined) return;
  const message = `Pod resize completed: ${summaryOf(pod, { generation: inProgress.observedGeneration })}`;
  recordEvent({ type: 'Normal', reason: 'ResizeCompleted', message });
}

export const isResizeCondition = (type: string): boolean => type === 'PodResizePending' || type === 'PodResizeInProgress';

/** Orders deferred resizes. (sortPendingResizes) */
export function byUrgency(a: Pod, b: Pod): number {
  return (
    (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0) ||
    Number(getPodQOS(b) === 'Guaranteed') - Number(getPodQOS(a) === 'Guaranteed') ||
    pendingSince(a) - pendingSince(b)
  );
}

const pendingSince = ({ status }: Pod): number => Date.parse(status?.conditions?.find(isDeferredResize)?.lastTransitionTime ?? '') || 0;

export const isDeferredResize = ({ type, reason }: PodCondition): boolean => type === 'PodResizePending' && reason === 'Deferred';

type NewCondition = Pick<PodCondition, 'type' | 'reason' | 'message'>;

function pendingCondition(turn: PodTurn, { reason, message }: { readonly reason: string; readonly message: string }): PodCondition {
  const { pod } = turn;
  const old = pod.status?.conditions?.find(({ type }) => type === 'PodResizePending');
  const condition = resizeCondition(turn, { type: 'PodResizePending', reason, message });
  if (old?.reason !== reason || old.observedGeneration !== condition.observedGeneration) {
    const text = `Pod resize ${reason}: ${summaryOf(pod, { error: message })}`;
    turn.recordEvent({ type: 'Warning', reason: `Resize${reason}`, message: text });
  } else if (old.message === message) return old;
  return condition;
}

/** (updatedPodResizeCondition) */
function resizeCondition({ pod, now }: PodTurn, condition: NewCondition): PodCondition {
  const old = pod.status?.conditions?.find(({ type }) => type === condition.type);
  const isSame = old !== undefined && old.reason === condition.reason;
  return {
    ...condition,
    status: 'True',
    ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
    lastProbeTime: timeText(now),
    lastTransitionTime: (isSame && old.lastTransitionTime) || timeText(now),
  };
}

interface SummaryOptions {
  /** Default: the pod's generation. */
  readonly generation?: number | undefined;
  readonly error?: string;
}

/** Returns the requests of containers as JSON. (pkg/kubelet/events/resize.go) */
function summaryOf({ spec, metadata }: Pod, { generation = metadata.generation ?? 0, error }: SummaryOptions = {}): string {
  const { initContainers = [], containers = [] } = spec ?? {};
  return JSON.stringify({
    ...(initContainers.length > 0 ? { initContainers: initContainers.map(resourcesOf) } : {}),
    ...(containers.length > 0 ? { containers: containers.map(resourcesOf) } : {}),
    generation,
    error,
  });
}

function resourcesOf({ name, resources: { limits, requests, claims } = {} }: Container) {
  const sorted = (list: Record<string, string> | undefined) =>
    list && Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { name, resources: { limits: sorted(limits), requests: sorted(requests), claims } };
}
