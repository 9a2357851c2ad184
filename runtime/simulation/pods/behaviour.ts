import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import { endsAtOnce, ignoresStop, type ProgramPlan, programPlan, type StopPlan } from '../programs/program-plan.ts';

/** The prefix of pods' annotations about their simulation. docs/simulation.md lists them. */
export const annotationPrefix = 'simulation.kubeloom.dev/';

/** The simulated life of one container. Times are in milliseconds; undefined means for ever, or never. */
export interface ContainerBehaviour {
  readonly runFor: number | undefined;
  readonly exitCode: number;
  /** The reason of the termination. */
  readonly reason: string;
  readonly readyAfter: number | undefined;
  /** How it ends after SIGTERM. */
  readonly stop: StopPlan;
  /** The waiting reason of a container that cannot be started. */
  readonly failure: string | undefined;
  /** Whether the container's program decides when and how it ends. */
  readonly runsProgram: boolean;
  /** The command of the container if its image lacks it. */
  readonly missing: string | undefined;
}

/**
 * Returns the value for a container: the annotation with its name as a suffix, or else the annotation for all
 * containers. "" counts as absent.
 */
export function annotationOf({ metadata }: Pod, name: string, container?: string): string | undefined {
  const { annotations } = metadata;
  if (annotations === undefined) return undefined;
  const own = container === undefined ? undefined : annotations[`${annotationPrefix}${name}.${container}`];
  return (own ?? annotations[`${annotationPrefix}${name}`]) || undefined;
}

/** An annotation is invalid. */
export class AnnotationError extends Error {}

/**
 * Returns milliseconds until the pod's sandbox is ready.
 *
 * @throws AnnotationError
 */
export const startDelay = (pod: Pod): number => durationOf(pod, 'start-delay') ?? 0;

/** Milliseconds that containers run by default in pods that must end. */
const defaultRunFor = 1000;

/** The role of a container in its pod. Init containers must end, and main ones unless they are always restarted. */
export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

/**
 * @param plan how the container runs if no annotation says so
 * @throws AnnotationError
 */
export function behaviourOf(pod: Pod, given: Container, role: ContainerRole, plan = programPlan(given)): ContainerBehaviour {
  const ends = role === 'main' && pod.spec?.restartPolicy !== 'Always';
  const fallback = role === 'init' ? 0 : ends ? defaultRunFor : undefined;
  const planned = plannedBehaviour(plan, fallback);
  if (!isAnnotated(pod)) return planned;
  const container = given.name;
  const exitCode = exitCodeOf(pod, container);
  const failure = annotationOf(pod, 'fail', container);
  const isKilled = failure !== undefined && terminations.has(failure);
  const duration = runFor(pod, container);
  const isOverridden = duration !== undefined || exitCode !== undefined || isKilled;
  const code = exitCode ?? (isKilled ? 137 : 0);
  const outcome = {
    runFor: duration ?? fallback ?? defaultRunFor,
    exitCode: code,
    reason: isKilled ? failure : code === 0 ? 'Completed' : 'Error',
    runsProgram: false,
    missing: undefined,
  };
  return {
    ...(isOverridden ? outcome : planned),
    readyAfter: readyAfter(pod, container),
    stop: stopping(pod, container) ?? (isOverridden ? endsAtOnce : planned.stop),
    failure: isKilled ? undefined : failure,
  };
}

/** Reasons for the end of a running container. All other reasons keep a container from starting. */
const terminations: ReadonlySet<string> = new Set(['OOMKilled', 'Error', 'ContainerCannotRun', 'DeadlineExceeded']);

/** Returns the behaviour that a command and an image ask for. */
function plannedBehaviour(plan: ProgramPlan, fallback: number | undefined): ContainerBehaviour {
  const runs = {
    exitCode: 0,
    reason: 'Completed',
    readyAfter: 0,
    stop: endsAtOnce,
    failure: undefined,
    runsProgram: false,
    missing: undefined,
  };
  switch (plan.kind) {
    case 'lasts':
      return { ...runs, runFor: undefined, stop: plan.stop };
    case 'runs':
      return { ...runs, runFor: undefined, runsProgram: true, stop: ignoresStop };
    case 'missing':
      return { ...runs, runFor: undefined, missing: plan.command };
    case 'ends': {
      const { after, exitCode } = plan;
      return { ...runs, runFor: after, exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', stop: ignoresStop };
    }
    default:
      return { ...runs, runFor: fallback };
  }
}

function isAnnotated({ metadata: { annotations } }: Pod): boolean {
  for (const name in annotations) if (name.startsWith(annotationPrefix)) return true;
  return false;
}

function runFor(pod: Pod, container: string): number | undefined {
  if (annotationOf(pod, 'run-for', container) === 'forever') return Number.POSITIVE_INFINITY;
  return durationOf(pod, 'run-for', container);
}

function readyAfter(pod: Pod, container: string): number | undefined {
  if (annotationOf(pod, 'ready-after', container) === 'never') return undefined;
  return durationOf(pod, 'ready-after', container) ?? 0;
}

function stopping(pod: Pod, container: string): StopPlan | undefined {
  const after = durationOf(pod, 'stop-after', container);
  return after === undefined ? undefined : { after, exitCode: 0 };
}

function durationOf(pod: Pod, name: string, container?: string): number | undefined {
  const text = annotationOf(pod, name, container);
  if (text === undefined) return undefined;
  try {
    const duration = parseMilliseconds(text);
    if (duration >= 0) return duration;
  } catch (error) {
    throw new AnnotationError(`invalid annotation ${annotationPrefix}${name}: ${messageOf(error)}`);
  }
  throw new AnnotationError(`invalid annotation ${annotationPrefix}${name}: must not be negative: ${text}`);
}

function exitCodeOf(pod: Pod, container: string): number | undefined {
  const text = annotationOf(pod, 'exit-code', container);
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new AnnotationError(`invalid annotation ${annotationPrefix}exit-code: must be between 0 and 255: ${text}`);
}
