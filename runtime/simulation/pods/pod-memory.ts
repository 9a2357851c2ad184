import type { Allocation } from './allocation.ts';
import { BackOff } from './back-off.ts';

/**
 * What a container runtime knows of a pod and its status does not say. A kubelet that starts anew finds most of it in the
 * status, to the second.
 */
export class PodMemory {
  readonly backOff = new BackOff();
  readonly #times = new Map<string, number>();
  /** Since volumes could not be mounted: the delay of the last retry, and when the next is, in milliseconds. */
  mounts: { readonly delay: number; readonly retryAt: number } | undefined;
  /** Whether the node has taken the pod, which its status may not say yet. */
  isAdmitted = false;
  /** When the pod was told to stop, in milliseconds. */
  stoppingSince: number | undefined;
  /** Undefined if the status says it, as after a start. */
  allocated: Allocation | undefined;

  /** @returns milliseconds; those of the status if nothing better is known */
  time(what: string, status: string | null | undefined): number {
    const exact = this.#times.get(what);
    const rounded = status ? Date.parse(status) : 0;
    // whatever others have written to the status since then counts
    return exact !== undefined && Math.floor(exact / 1000) === Math.floor(rounded / 1000) ? exact : rounded;
  }

  /** As it was set, in milliseconds. */
  exactTime(what: string): number | undefined {
    return this.#times.get(what);
  }

  setTime(what: string, at: number): void {
    this.#times.set(what, at);
  }
}
