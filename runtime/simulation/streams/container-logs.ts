import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { quote } from '../../machinery/go/quote.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { LogOptions } from '../../streaming/pod-handlers.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { type LogLine, logLines } from './log-lines.ts';

/** One run of a container: its start and end, in milliseconds since the epoch. */
interface Life {
  readonly id: string;
  readonly startedAt: number;
  readonly finishedAt: number | undefined;
}

/** Follows the state of a pod. */
export interface PodFollower {
  /** Returns the current pod; undefined if it was deleted. */
  current(): Pod | undefined;
  /** Resolves when the pod has changed, after some milliseconds, or when the signal is aborted. */
  changed(ms: number | undefined, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface LogContext {
  readonly clock: Clock;
  follow(pod: Pod): Promise<PodFollower>;
  /** Returns the objects for variables of the command that writes the log. */
  objects(): Promise<ClusterObjects>;
}

/**
 * Yields the log of a container as a kubelet reads it.
 *
 * @throws Error in a kubelet's words
 */
export async function* containerLog(pod: Pod, options: LogOptions, { clock, follow, objects }: LogContext): AsyncGenerator<string> {
  const { container, tailLines, signal } = options;
  const life = lifeOf(pod, container, options.previous);
  const lines = await logLines(pod, container, objects);
  const since = options.since?.getTime() ?? Number.NEGATIVE_INFINITY;
  const isWritten = ({ after }: LogLine, now: number, { finishedAt = now }: Life): boolean =>
    life.startedAt + after <= Math.min(now, finishedAt + 999);
  const text = ({ after, text: line }: LogLine): string =>
    options.timestamps ? `${timestamp(life.startedAt + after)} ${line}\n` : `${line}\n`;
  let written = lines.findIndex((line) => !isWritten(line, clock.now(), life));
  if (written < 0) written = lines.length;
  const there = lines.slice(0, written).filter(({ after }) => life.startedAt + after >= since);
  for (const line of tailLines === undefined ? there : there.slice(Math.max(0, there.length - tailLines))) yield text(line);
  if (!options.follow || options.previous || life.finishedAt !== undefined) return;
  const follower = await follow(pod);
  try {
    for (let now: Life | undefined = life; !signal.aborted; now = nowOf(follower.current(), container, life)) {
      let next = lines[written];
      while (next !== undefined && isWritten(next, clock.now(), now ?? ended(life, clock))) {
        yield text(next);
        next = lines[++written];
      }
      if (now === undefined || now.finishedAt !== undefined) return;
      const wait = next === undefined ? undefined : life.startedAt + next.after - clock.now();
      await follower.changed(wait, signal);
    }
  } finally {
    follower.close();
  }
}

const ended = (life: Life, clock: Clock): Life => ({ ...life, finishedAt: clock.now() });

/** Formats a time with the digits of nanoseconds. */
const timestamp = (ms: number): string => timeText(ms).replace('Z', `.${String(Math.floor(ms % 1000)).padStart(3, '0')}000000Z`);

/** Returns the current state of the same run; undefined if the container is gone or has restarted. */
function nowOf(pod: Pod | undefined, container: string, life: Life): Life | undefined {
  const status = pod && statusOf(pod, container);
  for (const state of [status?.state, status?.lastState]) {
    const now = state && fromState(state, status?.containerID);
    if (now?.id === life.id) return now;
  }
  return undefined;
}

export function statusOf({ status }: Pod, container: string): ContainerStatus | undefined {
  const all = [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses];
  return all.flatMap((list) => list ?? []).find(({ name }) => name === container);
}

/** (pkg/kubelet/kubelet_pods.go validateContainerLogStatus) */
function lifeOf(pod: Pod, container: string, previous: boolean): Life {
  const about = `container ${quote(container)} in pod ${quote(pod.metadata.name ?? '')}`;
  const status = statusOf(pod, container);
  if (status === undefined) throw new Error(`${about} is not available`);
  const { state = {}, lastState = {}, containerID } = status;
  const last = fromState(lastState, undefined);
  if (previous) {
    if (last !== undefined) return last;
    throw new Error(`previous terminated ${about} not found`);
  }
  const life = fromState(state, containerID) ?? last;
  if (life !== undefined) return life;
  const { reason } = state.waiting ?? {};
  if (reason === 'ErrImagePull') throw new Error(`${about} is waiting to start: image can't be pulled`);
  if (reason === 'ImagePullBackOff') throw new Error(`${about} is waiting to start: trying and failing to pull image`);
  throw new Error(`${about} is waiting to start: ${reason ?? 'no logs yet'}`);
}

function fromState({ running, terminated }: NonNullable<ContainerStatus['state']>, id = ''): Life | undefined {
  if (running) return { id, startedAt: Date.parse(running.startedAt ?? ''), finishedAt: undefined };
  if (!terminated?.containerID) return undefined;
  const { startedAt, finishedAt } = terminated;
  return {
    id: terminated.containerID,
    startedAt: Date.parse(startedAt ?? ''),
    finishedAt: Date.parse(finishedAt ?? ''),
  };
}
