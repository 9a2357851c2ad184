import type { ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { quote } from '../../machinery/go/quote.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { LogOptions } from '../../streaming/pod-handlers.ts';
import { containerOf } from '../pods/container-of.ts';
import type { ContainerRuns } from '../programs/container-runs.ts';
import type { ProgramLog, WrittenLine } from '../programs/program-log.ts';
import { annotatedLines, type LogLine } from './log-lines.ts';

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
  readonly runs: ContainerRuns;
}

/**
 * Yields the log of a container as a kubelet reads it.
 *
 * @throws Error in a kubelet's words
 */
export async function* containerLog(pod: Pod, options: LogOptions, context: LogContext): AsyncGenerator<string> {
  const life = lifeOf(pod, options.container, options.previous);
  const lines = annotatedLines(pod, options.container);
  if (lines !== undefined) yield* annotatedLog(pod, options, { ...context, life, lines });
  else yield* writtenLog(pod, options, { ...context, life });
}

interface OfLife extends LogContext {
  readonly life: Life;
}

/** Yields lines at their times after the start of the container. */
async function* annotatedLog(
  pod: Pod,
  options: LogOptions,
  { clock, follow, life, lines }: OfLife & { readonly lines: readonly LogLine[] },
): AsyncGenerator<string> {
  const { container, tailLines, signal } = options;
  const since = options.since?.getTime() ?? Number.NEGATIVE_INFINITY;
  const isWritten = ({ after }: LogLine, now: number, { finishedAt = now }: Life): boolean =>
    life.startedAt + after <= Math.min(now, finishedAt + 999);
  const text = ({ after, text: line }: LogLine): string => textOf({ at: life.startedAt + after, text: line }, options);
  let written = lines.findIndex((line) => !isWritten(line, clock.now(), life));
  if (written < 0) written = lines.length;
  const there = lines.slice(0, written).filter(({ after }) => life.startedAt + after >= since);
  for (const line of last(there, tailLines)) yield text(line);
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

/** Yields what the program of the container writes. */
async function* writtenLog(pod: Pod, options: LogOptions, { follow, life, runs }: OfLife): AsyncGenerator<string> {
  const { container: name, tailLines, signal } = options;
  const container = containerOf(pod, name);
  const log = container && (await runs.logOf({ pod, container, ...life }));
  const since = options.since?.getTime() ?? Number.NEGATIVE_INFINITY;
  let written = log?.length ?? 0;
  const there = log?.from(0).filter(({ at }) => at >= since) ?? [];
  for (const line of last(there, tailLines)) yield textOf(line, options);
  if (!options.follow || options.previous || life.finishedAt !== undefined) return;
  const follower = await follow(pod);
  const both = new AbortController();
  const stop = (): void => both.abort();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    for (let now: Life | undefined = life; !signal.aborted; now = nowOf(follower.current(), name, life)) {
      for (;;) {
        const lines = log?.from(written) ?? [];
        written = log?.length ?? 0;
        for (const line of lines) yield textOf(line, options);
        if (lines.length === 0) break;
      }
      if (now === undefined || now.finishedAt !== undefined) return;
      await changed(log, written, (wake) => follower.changed(undefined, wake), both.signal);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    follower.close();
  }
}

/** Resolves when the log or the pod has changed, or when the signal is aborted. */
async function changed(
  log: ProgramLog | undefined,
  written: number,
  podChanged: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const wake = new AbortController();
  const forgetLog = log?.onChange(() => wake.abort());
  const stop = (): void => wake.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted || (log !== undefined && log.length > written)) wake.abort();
  await podChanged(wake.signal);
  forgetLog?.();
  signal.removeEventListener('abort', stop);
}

const last = <T>(lines: readonly T[], count: number | undefined): readonly T[] =>
  count === undefined ? lines : lines.slice(Math.max(0, lines.length - count));

const textOf = ({ at, text }: WrittenLine, { timestamps }: LogOptions): string => (timestamps ? `${timestamp(at)} ${text}\n` : `${text}\n`);

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
