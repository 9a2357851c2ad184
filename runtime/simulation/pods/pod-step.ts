import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodTerminal } from '../../controllers/pod-control/pod-states.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { dnsConfigOf } from '../environment/dns-config.ts';
import { mountProblems } from '../volumes/mount-problems.ts';
import { isPlaced, rejectionOf } from './admission.ts';
import { wantedBy } from './allocation.ts';
import { AnnotationError, startDelay } from './behaviour.ts';
import { isReadyToStartContainers, podConditions } from './conditions.ts';
import { moveContainer, restarts, terminate, waitingStatus, withMessage, withReadiness } from './container.ts';
import { fieldPathOf, killing } from './container-events.ts';
import { beginStop, moveStop } from './container-stop.ts';
import { endedContainers } from './ended-containers.ts';
import type { NodeRoom } from './node-room.ts';
import { isSidecar, phaseOf } from './phase.ts';
import { behaviourIn, type ContainerPart, type PodTurn } from './pod-turn.ts';
import { endResize, nextResize, type Resize } from './resize.ts';

/** The addresses from a pod's node. */
export interface PodNetwork {
  readonly hostIP: string;
  /** Returns the address of the pod; undefined if the node has none left. */
  podIP(): string | undefined;
}

/** The result of a step: the new status, undefined for no change, and whether to delete the pod then. */
export interface PodStep {
  readonly status: PodStatus | undefined;
  readonly isOver: boolean;
}

/** Returns the next step of a pod's kubelet. The result only depends on the arguments. */
export function nextPodStep(turn: PodTurn, network: PodNetwork, room: NodeRoom): PodStep {
  const { pod } = turn;
  if (pod.metadata.deletionTimestamp) return stopPod(turn, network);
  if (isPodTerminal(pod)) return finishedPod(turn, network);
  if (!pod.status?.startTime) return { status: firstStatus(turn, network, room), isOver: false };
  const deadline = deadlineOf(pod);
  if (deadline !== undefined && turn.now >= deadline) {
    return { status: failedStatus(turn, network), isOver: false };
  }
  if (deadline !== undefined) turn.wake(deadline);
  const resize = nextResize(turn, room);
  return { status: resize.begun ?? movedStatus({ ...turn, pod: resize.pod }, network, resize), isOver: false };
}

/**
 * Returns the first status. Admits the pod, which may be rejected unless the default scheduler placed it.
 * (HandlePodAdditions, rejectPod)
 */
function firstStatus(turn: PodTurn, network: PodNetwork, room: NodeRoom): PodStatus {
  const { pod, memory, now, recordEvent } = turn;
  const node = memory.isAdmitted || isPlaced(pod) ? undefined : room.node();
  const rejection = node && rejectionOf(pod, node, room.others());
  if (rejection === undefined) {
    memory.isAdmitted = true;
    return pendingStatus(turn, network);
  }
  const { reason, message } = rejection;
  const { generation } = pod.metadata;
  recordEvent({ type: 'Warning', reason, message });
  return {
    ...pod.status,
    ...(generation ? { observedGeneration: generation } : {}),
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: timeText(now),
  };
}

/** Returns the first status of an admitted pod. */
function pendingStatus(turn: PodTurn, network: PodNetwork): PodStatus {
  const { pod, now, memory, remember } = turn;
  remember(() => {
    memory.setTime('start', now);
    memory.allocated = wantedBy(pod);
  });
  const start = { ...pod.status, startTime: timeText(now) };
  const reason = pod.spec?.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
  const parts = partsOf(pod);
  const waiting = (list: readonly ContainerPart[]) => list.map((part) => waitingStatus(part, reason));
  turn.wake(now);
  return completed(turn, network, {
    status: start,
    init: waiting(parts.init),
    main: waiting(parts.main),
    ephemeral: waiting(parts.ephemeral),
    hasSandbox: false,
  });
}

interface Moved {
  readonly status: PodStatus;
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  readonly ephemeral: readonly ContainerStatus[];
  readonly hasSandbox: boolean;
  readonly isTerminal?: boolean;
  readonly resize?: readonly PodCondition[];
}

function movedStatus(turn: PodTurn, network: PodNetwork, { conditions: resize }: Resize): PodStatus | undefined {
  const { pod, memory, now } = turn;
  const status = pod.status as PodStatus;
  let ready = isReadyToStartContainers(status);
  if (!ready) {
    const at = memory.time('start', status.startTime) + delayOf(pod);
    if (now < at) {
      turn.wake(at);
      return undefined;
    }
    const mountAt = nextMount(turn);
    if (mountAt !== undefined) {
      turn.wake(mountAt);
      return undefined;
    }
    if (!pod.spec?.hostNetwork && network.podIP() === undefined) {
      turn.wake(now + sandboxRetry);
      const why = 'plugin type="bridge" failed (add): no IP addresses available in range set';
      turn.recordEvent({ type: 'Warning', reason: 'FailedCreatePodSandBox', message: `Failed to create pod sandbox: ${why}` });
      return undefined;
    }
    for (const message of pod.spec?.dnsConfig ? dnsConfigOf(pod, turn.objects).problems : []) {
      turn.recordEvent({ type: 'Warning', reason: 'DNSConfigForming', message });
    }
    ready = true;
  }
  const parts = partsOf(pod);
  const init = moveInit(parts.init, statusesOf(parts.init, status.initContainerStatuses, pod), turn);
  const main = statusesOf(parts.main, status.containerStatuses, pod);
  const moved = init.isDone ? main.map((one, index) => moveContainer(elementAt(parts.main, index), one, turn)) : main;
  const ephemeral = statusesOf(parts.ephemeral, status.ephemeralContainerStatuses, pod);
  const stopped = main.length > 0 && moved.every((one, index) => hasEnded(elementAt(parts.main, index), one, pod));
  endResize(turn);
  return completed(turn, network, {
    status,
    init: stopped ? stopSidecars(parts.init, init.statuses, turn) : init.statuses,
    main: moved,
    ephemeral: ephemeral.map((one, index) => moveContainer(elementAt(parts.ephemeral, index), one, turn)),
    hasSandbox: ready && !stopped,
    resize: stopped ? [] : resize,
  });
}

/** Returns the time of the next attempt to mount volumes; undefined if all can be mounted. (nestedpendingoperations) */
function nextMount({ pod, memory, objects, now, recordEvent }: PodTurn): number | undefined {
  if (memory.mounts !== undefined && now < memory.mounts.retryAt) return memory.mounts.retryAt;
  const problems = mountProblems(pod, objects);
  if (problems === undefined) {
    memory.mounts = undefined;
    return undefined;
  }
  for (const message of problems.messages) recordEvent({ type: 'Warning', reason: 'FailedMount', message });
  const delay = Math.min(2 * (memory.mounts?.delay ?? firstMountRetry / 2), lastMountRetry);
  const retryAt = now + (problems.isAboutClaims ? Math.min(delay, claimRetry) : delay);
  memory.mounts = { delay, retryAt };
  return retryAt;
}

/** Milliseconds. (exponentialbackoff; pod workers' backOffPeriod) */
const firstMountRetry = 500;
const lastMountRetry = 122_000;
const claimRetry = 10_000;

/** Milliseconds before the next attempt to create a sandbox. */
const sandboxRetry = 10_000;

/** An invalid annotation counts as 0: containers report it. */
function delayOf(pod: Pod): number {
  try {
    return startDelay(pod);
  } catch (error) {
    if (error instanceof AnnotationError) return 0;
    throw error;
  }
}

/** Runs init containers in order. Sidecars keep running. */
function moveInit(parts: readonly ContainerPart[], statuses: readonly ContainerStatus[], turn: PodTurn) {
  const moved = [...statuses];
  for (const [index, part] of parts.entries()) {
    let status = moveContainer(part, elementAt(moved, index), turn);
    // a container that ends at once needs no running status
    if (part.role === 'init' && status.state?.running && runsForNothing(part, turn)) {
      status = { ...moveContainer(part, startedNow(status, turn), turn) };
    }
    const { state, ready, started } = status;
    if (state?.terminated?.exitCode === 0 && part.role === 'init') status = { ...status, ready: true };
    moved[index] = status;
    const isDone = part.role === 'sidecar' ? started === true : ready || state?.terminated?.exitCode === 0;
    if (!isDone) {
      // running sidecars after an unfinished container go on
      for (const [later, next] of parts.entries()) {
        const running = moved[later];
        if (later <= index || next.role !== 'sidecar' || !running?.state?.running) continue;
        moved[later] = moveContainer(next, running, turn);
      }
      return { statuses: moved, isDone: false };
    }
  }
  return { statuses: moved, isDone: true };
}

function runsForNothing(part: ContainerPart, turn: PodTurn): boolean {
  return behaviourIn(turn, part).runFor === 0;
}

const startedNow = (status: ContainerStatus, { now }: PodTurn): ContainerStatus => ({
  ...status,
  state: { running: { startedAt: timeText(now) } },
});

function hasEnded(part: ContainerPart, { state }: ContainerStatus, pod: Pod): boolean {
  return state?.terminated !== undefined && !restarts(part, pod, state.terminated.exitCode);
}

const normalEnd = { exitCode: 0, reason: 'Completed' };

function stopSidecars(parts: readonly ContainerPart[], statuses: readonly ContainerStatus[], turn: PodTurn) {
  return statuses.map((status, index) => {
    if (parts[index]?.role !== 'sidecar' || !status.state?.running) return status;
    turn.recordEvent({ ...killing(status.name), fieldPath: fieldPathOf('sidecar', status.name) });
    turn.runs?.stop(status.containerID ?? '');
    return terminate(status, normalEnd, turn);
  });
}

/** Stops a deleted pod. Running containers get their stopping time, up to the grace period. */
function stopPod(turn: PodTurn, network: PodNetwork): PodStep {
  const { pod, memory } = turn;
  const { deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
  const status = pod.status ?? {};
  const all = partsOf(pod);
  const running = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].filter(({ state }) => state?.running);
  const isOver = Number(grace) > 0;
  if (running.length === 0) {
    return { status: isPodTerminal(pod) ? undefined : endedStatus(turn, network, (one) => one), isOver };
  }
  const parts = new Map([...all.init, ...all.main].map((part) => [part.container.name, part]));
  const graceTime = 1000 * Number(grace);
  const stopping = running.flatMap((one) => {
    const part = parts.get(one.name);
    if (part === undefined) return [];
    const begun = memory.stops?.get(one.containerID ?? '');
    return [{ part, one, stop: begun ?? beginStop(part, one, turn, { grace: graceTime, message: `Stopping container ${one.name}` }) }];
  });
  // sidecars get their signal after the others have ended
  const main = stopping.filter(({ part }) => part.role !== 'sidecar');
  const isMainOver = main.map(({ part, one, stop }) => moveStop(part, one, turn, stop)).every((outcome) => outcome !== undefined);
  const sidecars = stopping.filter(({ part }) => part.role === 'sidecar');
  const isOverNow = sidecars
    .map(({ part, one, stop }) => moveStop(part, one, turn, stop, isMainOver))
    .every((outcome) => outcome !== undefined);
  if (!isMainOver || !isOverNow) return { status: statusWhileStopping(turn, network), isOver: false };
  const end = (one: ContainerStatus): ContainerStatus => {
    const part = parts.get(one.name);
    const stop = memory.stops?.get(one.containerID ?? '');
    if (!one.state?.running) return one;
    turn.runs?.stop(one.containerID ?? '');
    if (part === undefined || stop?.outcome === undefined) return terminate(one, normalEnd, turn);
    return terminate(one, withMessage(part, one, stop.outcome, turn), { ...turn, now: stop.endedAt });
  };
  return { status: endedStatus(turn, network, end), isOver };
}

/** Returns the status of a pod whose containers are being stopped: they are still probed for readiness. */
function statusWhileStopping(turn: PodTurn, network: PodNetwork): PodStatus | undefined {
  const { pod } = turn;
  const { status = {}, spec } = pod;
  const all = partsOf(pod);
  if (![...all.init, ...all.main].some(({ container }) => container.readinessProbe !== undefined)) return undefined;
  const probed = (part: ContainerPart, one: ContainerStatus): ContainerStatus => {
    if (!one.state?.running || part.container.readinessProbe === undefined) return one;
    try {
      return withReadiness(part, one, behaviourIn(turn, part), turn);
    } catch (error) {
      if (error instanceof AnnotationError) return one;
      throw error;
    }
  };
  const each = (parts: readonly ContainerPart[], statuses: readonly ContainerStatus[] | undefined) =>
    statusesOf(parts, statuses, pod).map((one, index) => probed(elementAt(parts, index), one));
  return completed(turn, network, {
    status,
    init: each(all.init, status.initContainerStatuses),
    main: each(all.main, status.containerStatuses),
    ephemeral: status.ephemeralContainerStatuses ?? [],
    hasSandbox: spec !== undefined,
  });
}

/** Returns the status of a deleted pod after all containers have stopped. */
function endedStatus(turn: PodTurn, network: PodNetwork, stop: (status: ContainerStatus) => ContainerStatus): PodStatus {
  const { pod, now } = turn;
  const { status = {}, spec } = pod;
  const parts = partsOf(pod);
  const containers = endedContainers(spec, {
    init: statusesOf(parts.init, status.initContainerStatuses, pod).map(stop),
    main: statusesOf(parts.main, status.containerStatuses, pod).map(stop),
  });
  return completed(turn, network, {
    status: { ...status, startTime: status.startTime ?? timeText(now) },
    ...containers,
    ephemeral: (status.ephemeralContainerStatuses ?? []).map(stop),
    hasSandbox: false,
    isTerminal: true,
  });
}

/** Stops running containers of a pod that another writer has declared finished. */
function finishedPod(turn: PodTurn, network: PodNetwork): PodStep {
  const { status = {} } = turn.pod;
  const { initContainerStatuses: init = [], containerStatuses: main = [] } = status;
  if (![...init, ...main].some(({ state }) => state?.running)) return { status: undefined, isOver: false };
  return { status: failedStatus(turn, network, status), isOver: false };
}

/** Ends a pod after its active deadline, or with a given status. (pkg/kubelet/active_deadline.go) */
function failedStatus(turn: PodTurn, network: PodNetwork, given?: PodStatus): PodStatus {
  const { status = {} } = turn.pod;
  const end = { exitCode: 137, reason: 'Error' };
  const stop = (one: ContainerStatus): ContainerStatus => {
    if (!one.state?.running) return one;
    turn.recordEvent({ ...killing(one.name), fieldPath: fieldPathOf('main', one.name) });
    turn.runs?.stop(one.containerID ?? '');
    return terminate(one, end, turn);
  };
  const why = { phase: 'Failed', reason: 'DeadlineExceeded', message: deadlineMessage } as const;
  if (given === undefined) turn.recordEvent({ type: 'Normal', reason: 'DeadlineExceeded', message: deadlineMessage });
  return completed(turn, network, {
    status: given ?? { ...status, ...why },
    init: (status.initContainerStatuses ?? []).map(stop),
    main: (status.containerStatuses ?? []).map(stop),
    ephemeral: (status.ephemeralContainerStatuses ?? []).map(stop),
    hasSandbox: false,
  });
}

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

function deadlineOf({ spec, status }: Pod): number | undefined {
  const seconds = spec?.activeDeadlineSeconds;
  if (seconds === undefined || !status?.startTime) return undefined;
  return Date.parse(status.startTime) + Number(seconds) * 1000;
}

/** Returns the status with all fields that follow from the containers. (generateAPIPodStatus) */
function completed(turn: PodTurn, network: PodNetwork, moved: Moved): PodStatus {
  const { pod, now } = turn;
  const { init, main, ephemeral, hasSandbox, isTerminal = false, resize } = moved;
  const statuses = new Map([...init, ...main].map((status) => [status.name, status]));
  const fixed = moved.status.phase === 'Failed' || moved.status.phase === 'Succeeded';
  const phase = fixed ? (moved.status.phase as string) : phaseOf(pod, statuses, isTerminal);
  const { hostIP } = network;
  const podIP = pod.status?.podIP || (pod.spec?.hostNetwork ? hostIP : hasSandbox ? network.podIP() : undefined);
  const { generation } = pod.metadata;
  return {
    ...moved.status,
    ...(generation ? { observedGeneration: generation } : {}),
    phase,
    conditions: podConditions({ pod, statuses, phase, hasSandbox, resize }, now),
    ...(hostIP ? { hostIP, hostIPs: [{ ip: hostIP }] } : {}),
    ...(podIP ? { podIP, podIPs: pod.status?.podIPs ?? [{ ip: podIP }] } : {}),
    ...(init.length > 0 ? { initContainerStatuses: [...init] } : {}),
    containerStatuses: [...main],
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: [...ephemeral] } : {}),
  };
}

interface PodParts {
  readonly init: readonly ContainerPart[];
  readonly main: readonly ContainerPart[];
  readonly ephemeral: readonly ContainerPart[];
}

function partsOf({ spec }: Pod): PodParts {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec ?? {};
  return {
    init: initContainers.map((container) => ({ container, role: isSidecar(container) ? 'sidecar' : 'init' })),
    main: containers.map((container) => ({ container, role: 'main' })),
    ephemeral: ephemeralContainers.map((container) => ({ container: container as Container, role: 'ephemeral' })),
  };
}

function statusesOf(parts: readonly ContainerPart[], statuses: readonly ContainerStatus[] = [], { spec }: Pod): ContainerStatus[] {
  const reason = spec?.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
  return parts.map((part) => statuses.find(({ name }) => name === part.container.name) ?? waitingStatus(part, reason));
}
