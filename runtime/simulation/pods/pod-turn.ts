import type { Container, ContainerStatus, LifecycleHandler, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { RunOf } from '../programs/container-run.ts';
import type { ContainerRuns } from '../programs/container-runs.ts';
import { behaviourOf, type ContainerBehaviour, type ContainerRole } from './behaviour.ts';
import type * as events from './container-events.ts';
import type { PodMemory } from './pod-memory.ts';
import type { Prober } from './probes/prober.ts';
import type { HookState } from './stop.ts';

/** One step of a pod: its inputs, and functions for its effects. */
export interface PodTurn {
  readonly pod: Pod;
  readonly memory: PodMemory;
  readonly objects: ClusterObjects;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Records an event after the status has been written. */
  recordEvent(event: events.PodEvent): void;
  /** Schedules another step at a time. */
  wake(at: number): void;
  /** Changes the memory after the status has been written. */
  remember(change: () => void): void;
  /** Reverts an immediate change of the memory if the status cannot be written. */
  undo(change: () => void): void;
  /** Undefined if the containers have no programs. */
  readonly runs: ContainerRuns | undefined;
  /** Undefined if the containers are not probed. */
  readonly probes?: Pick<Prober, 'stateOf' | 'forget'> | undefined;
  /** Undefined if the containers have no hooks. */
  readonly hooks?: Hooks | undefined;
  /** Schedules another step at once. */
  again(): void;
}

/** Runs the hooks of containers. */
export interface Hooks {
  /**
   * @param done called at the end of the hook
   * @param failure returns the event of a hook that failed
   */
  start(hook: LifecycleHandler, of: RunOf, done: () => void, failure: () => events.PodEvent): HookState;
}

export interface ContainerPart {
  readonly container: Container;
  readonly role: ContainerRole;
}

/**
 * Returns the behaviour of a container. Processes of this machine decide by themselves.
 *
 * @throws AnnotationError
 */
export const behaviourIn = ({ pod, runs }: PodTurn, { container, role }: ContainerPart): ContainerBehaviour =>
  behaviourOf(pod, container, role, runs?.planOf(container));

export const startOf = ({ name, state, restartCount }: ContainerStatus, { memory }: PodTurn): number =>
  memory.time(`started/${name}/${restartCount}`, state?.running?.startedAt);

/** Returns the run of a container whose status says that it runs. */
export const runOfTurn = ({ container }: ContainerPart, status: ContainerStatus, turn: PodTurn) => ({
  pod: turn.pod,
  container,
  id: status.containerID ?? '',
  startedAt: startOf(status, turn),
});
