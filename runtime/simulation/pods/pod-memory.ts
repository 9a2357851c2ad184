import type { Allocation } from './allocation.ts';
import { BackOff } from './back-off.ts';
import type { HookState, Stop } from './stop.ts';

/**
 * A container runtime's knowledge of a pod that is not in the pod's status. A restarted kubelet recovers most of it
 * from the status, with a precision of seconds.
 */
export class PodMemory {
  readonly backOff = new BackOff();
  readonly #times = new Map<string, number>();
  /** Set while volumes cannot be mounted: the last retry delay and the time of the next retry, in milliseconds. */
  mounts: { readonly delay: number; readonly retryAt: number } | undefined;
  /** Whether the node has admitted the pod. The status may not show it yet. */
  isAdmitted = false;
  /** The containers that are being stopped, by ID. */
  stops: Map<string, Stop> | undefined;
  /** The hooks of started containers, by ID. */
  postStarts: Map<string, HookState> | undefined;
  /** Undefined if only the status has it, as after a restart. */
  allocated: Allocation | undefined;

  /** Returns milliseconds: the exact time if known, else the status's. */
  time(what: string, status: string | null | undefined): number {
    const exact = this.#times.get(what);
    const rounded = status ? Date.parse(status) : 0;
    // another writer's time in the status takes precedence
    return exact !== undefined && Math.floor(exact / 1000) === Math.floor(rounded / 1000) ? exact : rounded;
  }

  /** Returns the exact time in milliseconds. */
  exactTime(what: string): number | undefined {
    return this.#times.get(what);
  }

  setTime(what: string, at: number): void {
    this.#times.set(what, at);
  }
}
