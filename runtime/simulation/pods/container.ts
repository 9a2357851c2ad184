import type { Container, ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { containerRestartsAfter } from '../../kinds/core/pod/container-statuses.ts';
import { formatDuration } from '../../machinery/go/duration.ts';
import { quote } from '../../machinery/go/quote.ts';
import { defined } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { configurationProblem } from '../environment/container-environment.ts';
import type { ProgramEnd } from '../programs/container-run.ts';
import { unknownRegistry } from '../programs/image.ts';
import { resizeNeedsRestart } from './allocation.ts';
import { AnnotationError, annotationOf, type ContainerBehaviour } from './behaviour.ts';
import * as events from './container-events.ts';
import { containerID, imageError, imageNames } from './container-ids.ts';
import { beginStop, moveStop } from './container-stop.ts';
import { behaviourIn, type ContainerPart, type PodTurn, runOfTurn, startOf } from './pod-turn.ts';
import { isProbed } from './probes/is-probed.ts';
import type { ProbeState } from './probes/prober.ts';
import type { Outcome, Stop } from './stop.ts';

/** Returns the status of a container before its start. (convertToAPIContainerStatuses) */
export function waitingStatus({ container: { name, image = '' } }: ContainerPart, reason: string): ContainerStatus {
  return {
    name,
    image,
    imageID: '',
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    restartCount: 0,
    started: false,
  };
}

/** Moves a container by at most one step, if the step is due. */
export function moveContainer(part: ContainerPart, status: ContainerStatus, turn: PodTurn): ContainerStatus {
  let behaviour: ContainerBehaviour;
  try {
    behaviour = behaviourIn(turn, part);
  } catch (error) {
    if (!(error instanceof AnnotationError)) throw error;
    if (status.state?.running || status.state?.terminated) return status;
    return waitFor(part, status, { reason: configError, error: error.message }, turn);
  }
  const { running, terminated } = status.state ?? {};
  if (running) return moveRunning(part, status, behaviour, turn);
  if (terminated) return moveTerminated(part, status, turn);
  return moveWaiting(part, status, behaviour, turn);
}

function moveWaiting(part: ContainerPart, status: ContainerStatus, behaviour: ContainerBehaviour, turn: PodTurn): ContainerStatus {
  const { lastState, restartCount } = status;
  const { name, image = '' } = part.container;
  const retry = (turn.memory.exactTime(`config/${name}`) ?? 0) + configRetry;
  if (status.state?.waiting?.reason === configError && turn.now < retry) {
    turn.wake(retry);
    return status;
  }
  if (lastState?.terminated) {
    const finished = turn.memory.time(`finished/${name}/${restartCount}`, lastState.terminated.finishedAt);
    const until = backOffUntil(part, status, finished, turn);
    if (until === undefined) return start(part, status, { restartCount: restartCount + 1, lastState }, turn);
    turn.wake(until);
    return status;
  }
  const badName = imageError(image);
  if (badName !== undefined) {
    const error = `Failed to apply default image tag ${quote(image)}: ${badName}`;
    return waitFor(part, status, { reason: 'InvalidImageName', error }, turn);
  }
  const registry = unknownRegistry(image);
  if (registry !== undefined && part.container.imagePullPolicy === 'Never') {
    const error = `Container image ${quote(image)} is not present with pull policy of Never`;
    return waitFor(part, status, { reason: 'ErrImageNeverPull', error }, turn);
  }
  if (registry !== undefined && behaviour.failure === undefined) return failToPull(part, status, turn, `lookup ${registry}: no such host`);
  if (behaviour.failure === undefined) return start(part, status, status, turn);
  if (imageFailures.has(behaviour.failure)) return failToPull(part, status, turn);
  const error = `simulated failure of container ${quote(name)}`;
  return waitFor(part, status, { reason: behaviour.failure, error }, turn);
}

const imageFailures: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);

interface Problem {
  readonly reason: string;
  readonly error: string;
}

/** Returns the status of a container that the kubelet retries in vain. */
function waitFor(part: ContainerPart, status: ContainerStatus, { reason, error }: Problem, turn: PodTurn): ContainerStatus {
  const { name, image = '' } = part.container;
  if (status.state?.waiting?.reason !== reason) {
    const fieldPath = events.fieldPathOf(part.role, name);
    if (reason === 'ErrImageNeverPull') turn.recordEvent({ ...events.neverPresent(image), fieldPath });
    const event =
      reason === 'InvalidImageName' ? ({ type: 'Warning', reason: 'InspectFailed', message: error } as const) : events.failed(error);
    turn.recordEvent({ ...event, fieldPath });
  }
  return { ...status, ready: false, state: { waiting: { reason, message: error } } };
}

/** Returns ErrImagePull, then ImagePullBackOff until the next attempt. (image_manager.go pullImage) */
function failToPull(part: ContainerPart, status: ContainerStatus, turn: PodTurn, lookUp?: string): ContainerStatus {
  const { name, image = '' } = part.container;
  const { memory, now } = turn;
  const fieldPath = events.fieldPathOf(part.role, name);
  const key = `pull/${name}`;
  const { image: full } = imageNames(image);
  const why = lookUp === undefined ? `${full}: not found` : `failed to do request: Head ${quote(manifestOf(full))}: dial tcp: ${lookUp}`;
  const error = `failed to pull and unpack image ${quote(full)}: failed to resolve reference ${quote(full)}: ${why}`;
  const cause = `rpc error: code = ${lookUp === undefined ? 'NotFound' : 'Unknown'} desc = ${error}`;
  const failedAt = memory.exactTime(`${key}/at`) ?? now;
  const until = memory.backOff.until(key, failedAt, now);
  if (until === undefined) {
    turn.recordEvent({ ...events.pulling(image), fieldPath });
    turn.recordEvent({ ...events.pullFailed(image, cause), fieldPath });
    turn.recordEvent({ ...events.failed('ErrImagePull'), fieldPath });
    turn.remember(() => {
      memory.backOff.next(key, now, now);
      memory.setTime(`${key}/at`, now);
    });
    turn.wake(now + shownFor);
    return { ...status, state: { waiting: { reason: 'ErrImagePull', message: cause } } };
  }
  const { reason } = status.state?.waiting ?? {};
  if (reason === 'ErrImagePull' && now < failedAt + shownFor) {
    turn.wake(failedAt + shownFor);
    return status;
  }
  turn.wake(until);
  if (reason !== 'ImagePullBackOff') {
    turn.recordEvent({ ...events.pullBackOff(image), fieldPath });
    turn.recordEvent({ ...events.failed('ImagePullBackOff'), fieldPath });
  }
  const message = `Back-off pulling image ${quote(image)}: ErrImagePull: ${cause}`;
  return { ...status, state: { waiting: { reason: 'ImagePullBackOff', message } } };
}

/** Returns the address of an image's manifest: `https://host/v2/name/manifests/tag`. */
function manifestOf(image: string): string {
  const [host = '', ...path] = image.split('/');
  const [name = '', tag = 'latest'] = path.join('/').split(/[@:](.*)/s);
  return `https://${host}/v2/${name}/manifests/${tag}`;
}

/** Milliseconds for which ErrImagePull is shown before the next step. */
const shownFor = 1000;

const configError = 'CreateContainerConfigError';
/** Milliseconds before the next attempt to configure a container. (backOffPeriod) */
const configRetry = 10_000;

type NewLife = Pick<ContainerStatus, 'restartCount' | 'lastState'>;

/** Starts the container, unless some of its configuration is missing. */
function start(part: ContainerPart, status: ContainerStatus, { restartCount, lastState }: NewLife, turn: PodTurn): ContainerStatus {
  const { container, role } = part;
  const { name, image = '', imagePullPolicy } = container;
  const { pod, memory, now } = turn;
  const fieldPath = events.fieldPathOf(role, name);
  const isPulled = imagePullPolicy === 'Always';
  if (isPulled) turn.recordEvent({ ...events.pulling(image), fieldPath });
  turn.recordEvent({ ...(isPulled ? events.pulled(image) : events.imagePresent(image)), fieldPath });
  const problem = configurationProblem(pod, container, turn.objects);
  if (problem !== undefined) {
    turn.recordEvent({ ...events.failed(problem), fieldPath });
    memory.setTime(`config/${name}`, now);
    turn.wake(now + configRetry);
    return { ...status, ...defined({ lastState }), ready: false, state: { waiting: { reason: configError, message: problem } } };
  }
  turn.recordEvent({ ...events.created, fieldPath });
  const behaviour = behaviourIn(turn, part);
  if (behaviour.missing !== undefined)
    return failToStart(part, { restartCount, ...defined({ lastState }) }, { command: behaviour.missing, turn });
  turn.recordEvent({ ...events.started, fieldPath });
  turn.remember(() => memory.setTime(`started/${name}/${restartCount}`, now));
  const running: ContainerStatus = {
    name,
    state: { running: { startedAt: timeText(now) } },
    ...defined({ lastState }),
    ready: false,
    restartCount,
    ...imageNames(image),
    containerID: containerID(pod.metadata.uid ?? '', name, restartCount),
    started: role !== 'ephemeral' && role !== 'init' && !isHeldBack(part, turn),
    ...resourcesOf(container),
    ...volumeMountsOf(container),
  };
  if (isHeldBack(part, turn)) return running;
  // probes begin when the status says that the container runs
  if (!isProbedIn(turn, part)) return withReadiness(part, running, behaviour, turn);
  return { ...running, ready: container.readinessProbe === undefined && behaviour.readyAfter === 0 };
}

const isProbedIn = ({ pod, runs }: PodTurn, { container, role }: ContainerPart): boolean =>
  role !== 'init' && role !== 'ephemeral' && runs !== undefined && isProbed(pod, container, runs);

/** Reports whether something keeps a container from being started when it runs. */
function isHeldBack(part: ContainerPart, turn: PodTurn): boolean {
  const { lifecycle, startupProbe } = part.container;
  if (lifecycle?.postStart !== undefined && turn.hooks !== undefined) return true;
  return startupProbe !== undefined && isProbedIn(turn, part);
}

/** Returns the status of a container whose command is not in its image. (containerd, runc) */
function failToStart(
  { container, role }: ContainerPart,
  { restartCount, lastState }: NewLife,
  { command, turn }: { readonly command: string; readonly turn: PodTurn },
): ContainerStatus {
  const { name, image = '' } = container;
  const { memory, now, pod } = turn;
  const message =
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container ' +
    `process: error during container init: exec: ${quote(command)}: executable file not found in $PATH`;
  turn.recordEvent({ ...events.failed(message), fieldPath: events.fieldPathOf(role, name) });
  turn.remember(() => memory.setTime(`finished/${name}/${restartCount}`, now));
  const id = containerID(pod.metadata.uid ?? '', name, restartCount);
  const terminated = {
    exitCode: 128,
    reason: 'StartError',
    message,
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: timeText(now),
    containerID: id,
  };
  return {
    name,
    state: { terminated },
    ...defined({ lastState }),
    ready: false,
    restartCount,
    ...imageNames(image),
    containerID: id,
    started: false,
    ...volumeMountsOf(container),
  };
}

function resourcesOf({ resources }: Container): Pick<ContainerStatus, 'resources' | 'allocatedResources'> {
  if (resources === undefined || Object.keys(resources).length === 0) return { resources: {} };
  const { requests } = resources;
  return { resources, ...(requests ? { allocatedResources: requests } : {}) };
}

function volumeMountsOf({ volumeMounts }: Container): Pick<ContainerStatus, 'volumeMounts'> {
  if (!volumeMounts?.length) return {};
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly ? { readOnly, recursiveReadOnly: 'Disabled' } : {}),
    })),
  };
}

function moveRunning(part: ContainerPart, status: ContainerStatus, behaviour: ContainerBehaviour, turn: PodTurn): ContainerStatus {
  const { name } = part.container;
  const why = reasonToRestart(part, status);
  if (why !== undefined) {
    turn.recordEvent({ ...why, fieldPath: events.fieldPathOf(part.role, name) });
    turn.runs?.stop(status.containerID ?? '');
    const ended = terminate(status, { exitCode: 0, reason: 'Completed' }, turn);
    return start(part, ended, { restartCount: status.restartCount + 1, ...defined({ lastState: ended.state }) }, turn);
  }
  const { runFor = Number.POSITIVE_INFINITY } = behaviour;
  const end = startOf(status, turn) + runFor;
  if (turn.now >= end) return terminate(status, withMessage(part, status, behaviour, turn), turn);
  if (Number.isFinite(end)) turn.wake(end);
  const result = behaviour.runsProgram ? programEnd(part, status, turn) : undefined;
  if (result !== undefined) {
    const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error' } = result;
    const outcome = { exitCode, reason };
    if (reason === 'StartError')
      turn.recordEvent({ ...events.failed(`Error: ${result.message}`), fieldPath: events.fieldPathOf(part.role, name) });
    return terminate(status, withMessage(part, status, outcome, turn), turn);
  }
  const current = withReadiness(part, { ...status, ...resourcesOf(part.container) }, behaviour, turn);
  return stopIfUnhealthy(part, current, turn);
}

/** Ends a container whose hook or probe has failed. */
function stopIfUnhealthy(part: ContainerPart, status: ContainerStatus, turn: PodTurn): ContainerStatus {
  const id = status.containerID ?? '';
  const { memory } = turn;
  const stop = memory.stops?.get(id) ?? beginToStopUnhealthy(part, status, turn);
  if (stop === undefined) return status;
  const outcome = moveStop(part, status, turn, stop);
  if (outcome === undefined) return status;
  turn.remember(() => memory.stops?.delete(id));
  turn.runs?.stop(id);
  return terminate(status, withMessage(part, status, outcome, turn), turn);
}

const defaultGrace = 30;

function beginToStopUnhealthy(part: ContainerPart, status: ContainerStatus, turn: PodTurn): Stop | undefined {
  const { container, role } = part;
  const { pod, memory } = turn;
  const grace = pod.spec?.terminationGracePeriodSeconds ?? defaultGrace;
  if (memory.postStarts?.get(status.containerID ?? '')?.hasFailed) {
    return beginStop(part, status, turn, { grace: 1000 * Number(grace), message: 'FailedPostStartHook' });
  }
  const failed = role === 'init' || role === 'ephemeral' ? undefined : probeState(part, status, turn)?.failed;
  if (failed === undefined) return undefined;
  const probe = failed === 'liveness' ? container.livenessProbe : container.startupProbe;
  const will = restarts(part, pod, 137) ? ', will be restarted' : '';
  const message = `Container ${container.name} failed ${failed} probe${will}`;
  return beginStop(part, status, turn, { grace: 1000 * Number(probe?.terminationGracePeriodSeconds ?? grace), message });
}

/** Returns what the probes of a container say; undefined if it is not probed. */
function probeState(part: ContainerPart, status: ContainerStatus, turn: PodTurn): ProbeState | undefined {
  if (!isProbedIn(turn, part)) return undefined;
  return turn.probes?.stateOf(runOfTurn(part, status, turn), status);
}

/** Reports whether the hook of a started container has ended. Starts it. */
function isHookDone(part: ContainerPart, status: ContainerStatus, turn: PodTurn): boolean {
  const { postStart } = part.container.lifecycle ?? {};
  if (postStart === undefined || turn.hooks === undefined || status.started) return true;
  const id = status.containerID ?? '';
  turn.memory.postStarts ??= new Map();
  let hook = turn.memory.postStarts.get(id);
  if (hook === undefined) {
    const fieldPath = events.fieldPathOf(part.role, part.container.name);
    const failure = { type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed', fieldPath } as const;
    hook = turn.hooks.start(postStart, runOfTurn(part, status, turn), turn.again, () => failure);
    turn.memory.postStarts.set(id, hook);
  }
  return hook.isDone && !hook.hasFailed;
}

/** Returns the end of the program of a running container; undefined while it runs. */
function programEnd({ container }: ContainerPart, status: ContainerStatus, turn: PodTurn): ProgramEnd | undefined {
  const of = { pod: turn.pod, container, id: status.containerID ?? '', startedAt: startOf(status, turn) };
  return turn.runs?.endOf(of, () => turn.again());
}

/** Adds the termination message. (getTerminationMessage) */
export function withMessage(
  { container }: ContainerPart,
  { containerID: id = '' }: ContainerStatus,
  { exitCode, reason, message: own }: Outcome,
  turn: PodTurn,
): Outcome {
  const message = own ?? turn.runs?.messageOf({ container, id }, exitCode);
  return { exitCode, reason, ...defined({ message }) };
}

/** Returns the event for a container that no longer matches its pod. (computePodActions) */
function reasonToRestart({ container, role }: ContainerPart, status: ContainerStatus): events.PodEvent | undefined {
  const { name, image = '' } = container;
  if (role !== 'ephemeral' && status.image !== imageNames(image).image && imageError(image) === undefined) {
    return events.changed(name);
  }
  const isResizable = role === 'main' || role === 'sidecar';
  return isResizable && resizeNeedsRestart(container, status.resources) ? events.resized(name) : undefined;
}

/**
 * Sets whether a container has started and is ready: by its hook, its probes, and the annotation. Init and ephemeral
 * containers are never ready while they run.
 */
export function withReadiness(
  part: ContainerPart,
  status: ContainerStatus,
  { readyAfter }: ContainerBehaviour,
  turn: PodTurn,
): ContainerStatus {
  const { role } = part;
  if (role === 'init' || role === 'ephemeral') return { ...status, ready: false };
  const hasHookEnded = isHookDone(part, status, turn);
  const state = hasHookEnded ? probeState(part, status, turn) : undefined;
  const started = hasHookEnded && (state?.isStarted ?? true);
  if (readyAfter === undefined || !started) return { ...status, started, ready: false };
  // the annotation is before the probe
  const isReady = annotationOf(turn.pod, 'ready-after', status.name) !== undefined || (state?.isReady ?? true);
  const readyAt =
    (turn.memory.time(`started/${status.name}/${status.restartCount}`, status.state?.running?.startedAt) || turn.now) + readyAfter;
  if (turn.now < readyAt) turn.wake(readyAt);
  return { ...status, started, ready: isReady && turn.now >= readyAt };
}

/** Ends one run of a container. */
export function terminate(
  status: ContainerStatus,
  { exitCode, reason, message }: Outcome,
  { memory, now, remember, probes, pod }: Pick<PodTurn, 'memory' | 'now' | 'remember'> & Partial<PodTurn>,
): ContainerStatus {
  const { name, restartCount, containerID: id } = status;
  probes?.forget(pod?.metadata.uid ?? '', name);
  if (id !== undefined) memory.postStarts?.delete(id);
  remember(() => memory.setTime(`finished/${name}/${restartCount}`, now));
  const startedAt = status.state?.running?.startedAt;
  const { resources: _, allocatedResources: __, ...others } = status;
  return {
    ...others,
    state: { terminated: defined({ exitCode, reason, message, startedAt, finishedAt: timeText(now), containerID: id }) },
    ready: false,
    started: false,
  };
}

/** Restarts a terminated container if it must run: the first time at once, then after a back-off. (doBackOff) */
function moveTerminated(part: ContainerPart, status: ContainerStatus, turn: PodTurn): ContainerStatus {
  const { container, role } = part;
  const { name, restartCount, state } = status;
  const { terminated } = state ?? {};
  const { spec } = turn.pod;
  if (role === 'ephemeral' || terminated === undefined || spec === undefined) return status;
  if (!restarts(part, turn.pod, terminated.exitCode)) return status;
  const finished = turn.memory.time(`finished/${name}/${restartCount}`, terminated.finishedAt);
  const lastState = { terminated };
  const until = backOffUntil(part, status, finished, turn);
  if (until === undefined) return start(part, status, { restartCount: restartCount + 1, lastState }, turn);
  turn.wake(until);
  turn.recordEvent({ ...events.backOff(name, turn.pod), fieldPath: events.fieldPathOf(role, name) });
  const delay = formatDuration(BigInt(turn.memory.backOff.delay(name)) * 1_000_000n);
  const message = `back-off ${delay} restarting failed container=${container.name} pod=${events.podText(turn.pod)}`;
  return { ...status, lastState, state: { waiting: { reason: 'CrashLoopBackOff', message } } };
}

export function restarts({ container, role }: ContainerPart, { spec }: Pod, exitCode: number): boolean {
  if (role === 'ephemeral' || spec === undefined) return false;
  // a successful init container is not restarted
  if (role === 'init' && exitCode === 0) return false;
  return containerRestartsAfter(container, spec, exitCode);
}

function backOffUntil(
  { container: { name } }: ContainerPart,
  status: ContainerStatus,
  finished: number,
  turn: PodTurn,
): number | undefined {
  const { memory, now } = turn;
  if (!memory.backOff.has(name)) memory.backOff.restore(name, status.restartCount, now);
  const until = memory.backOff.until(name, finished, now);
  if (until === undefined) turn.remember(() => memory.backOff.next(name, finished, now));
  return until;
}
