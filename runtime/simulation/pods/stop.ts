import type { ContainerBehaviour } from './behaviour.ts';

/** How a container ends. */
export type Outcome = Pick<ContainerBehaviour, 'exitCode' | 'reason'> & { readonly message?: string };

/** A hook that runs, or has run. */
export interface HookState {
  isDone: boolean;
  hasFailed: boolean;
  readonly cancel: () => void;
}

/** A container that is being stopped. Times are in milliseconds. */
export interface Stop {
  readonly since: number;
  readonly grace: number;
  hook: HookState | undefined;
  /** When the program gets SIGKILL. Undefined before it got SIGTERM. */
  killAt: number | undefined;
  signaledAt: number;
  /** Whether the program handles SIGTERM. */
  handles: boolean;
  outcome: Outcome | undefined;
  endedAt: number;
}
