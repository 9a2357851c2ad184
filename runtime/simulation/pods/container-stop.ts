import type { ContainerStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { defaultMessagePath } from '../streams/initial-files.ts';
import { AnnotationError } from './behaviour.ts';
import * as events from './container-events.ts';
import { behaviourIn, type ContainerPart, type PodTurn, runOfTurn, startOf } from './pod-turn.ts';
import type { Outcome, Stop } from './stop.ts';

/** The least grace period, in milliseconds. (minimumGracePeriodInSeconds) */
const minimumGrace = 2000;
const killed: Outcome = { exitCode: 137, reason: 'Error' };

/** Begins to stop a container. (killContainer) */
export function beginStop(
  { container, role }: ContainerPart,
  { containerID = '' }: ContainerStatus,
  turn: PodTurn,
  { grace, message }: { readonly grace: number; readonly message: string },
): Stop {
  const { memory, now } = turn;
  const fieldPath = events.fieldPathOf(role, container.name);
  turn.recordEvent({ type: 'Normal', reason: 'Killing', message, fieldPath });
  const stop: Stop = {
    since: now,
    grace,
    hook: undefined,
    killAt: undefined,
    signaledAt: 0,
    handles: false,
    outcome: undefined,
    endedAt: 0,
  };
  memory.stops ??= new Map();
  memory.stops.set(containerID, stop);
  return stop;
}

/**
 * Moves the end of a container: its hook, SIGTERM, and SIGKILL after the grace period.
 *
 * @param mayEnd whether the program may get SIGTERM
 * @returns undefined while the container runs
 */
export function moveStop(part: ContainerPart, status: ContainerStatus, turn: PodTurn, stop: Stop, mayEnd = true): Outcome | undefined {
  if (stop.outcome !== undefined) return stop.outcome;
  const outcome = hookIsOver(part, status, turn, stop) && mayEnd ? programOutcome(part, status, turn, stop) : undefined;
  if (outcome !== undefined) {
    stop.outcome = outcome;
    stop.endedAt = turn.now;
  }
  return outcome;
}

function hookIsOver(part: ContainerPart, status: ContainerStatus, turn: PodTurn, stop: Stop): boolean {
  const { preStop } = part.container.lifecycle ?? {};
  if (preStop === undefined || stop.grace <= 0 || turn.hooks === undefined || stop.killAt !== undefined) return true;
  stop.hook ??= turn.hooks.start(preStop, runOfTurn(part, status, turn), turn.again, () => {
    const fieldPath = events.fieldPathOf(part.role, part.container.name);
    return { type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed', fieldPath };
  });
  const deadline = stop.since + stop.grace;
  if (!stop.hook.isDone && turn.now < deadline) {
    turn.wake(deadline);
    return false;
  }
  stop.hook.cancel();
  return true;
}

function programOutcome(part: ContainerPart, status: ContainerStatus, turn: PodTurn, stop: Stop): Outcome | undefined {
  const { now, runs } = turn;
  const id = status.containerID ?? '';
  if (stop.killAt === undefined) {
    const used = Math.floor((now - stop.since) / 1000) * 1000;
    stop.killAt = now + Math.max(stop.grace - used, minimumGrace);
    stop.signaledAt = now;
    stop.handles = runs?.signal(id, 'TERM') ?? false;
  }
  const result = runs?.resultOf(id);
  if (result !== undefined) return { exitCode: result.exitCode, reason: result.reason ?? (result.exitCode === 0 ? 'Completed' : 'Error') };
  const { ownEnd, ...own } = naturalEnd(part, status, turn, stop);
  if (ownEnd <= now && ownEnd <= stop.killAt) return own;
  if (now >= stop.killAt) return killed;
  turn.wake(Math.min(ownEnd, stop.killAt));
  return undefined;
}

/** Returns when and how a program ends that is not asked: at the end of its command, or after SIGTERM. */
function naturalEnd(part: ContainerPart, status: ContainerStatus, turn: PodTurn, stop: Stop): Outcome & { readonly ownEnd: number } {
  const normal = { exitCode: 0, reason: 'Completed', ownEnd: stop.signaledAt };
  if (stop.handles) return { ...normal, ownEnd: Number.POSITIVE_INFINITY };
  try {
    const { runFor = Number.POSITIVE_INFINITY, exitCode, reason, stop: given } = behaviourIn(turn, part);
    const end = startOf(status, turn) + runFor;
    const stopped = stop.signaledAt + given.after;
    if (end < stopped) return { exitCode, reason, ownEnd: end };
    const code = given.exitCode;
    const message = given.message !== undefined && writesMessage(part) ? { message: given.message } : {};
    return { exitCode: code, reason: code === 0 ? 'Completed' : 'Error', ...message, ownEnd: stopped };
  } catch (error) {
    if (error instanceof AnnotationError) return normal;
    throw error;
  }
}

/** Reports whether the default file is that of the termination message. */
const writesMessage = ({ container: { terminationMessagePath = defaultMessagePath } }: ContainerPart): boolean =>
  terminationMessagePath === defaultMessagePath;
