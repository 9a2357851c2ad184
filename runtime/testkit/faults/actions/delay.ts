import type { ApiContext, Next } from '../../../http/context.ts';
import { isLongRunning } from '../../../http/request-info.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import type { DelayFault } from '../fault-plan.ts';
import { Pauses } from '../pauses.ts';
import { WithheldResponse } from '../withheld-response.ts';
import type { FaultAction } from './action.ts';

/** Delays a request before it runs, or its response before it is sent. */
export class DelayAction implements FaultAction {
  readonly #ms: number;
  readonly #isAfter: boolean;
  readonly #pauses: Pauses;

  constructor({ duration, when }: DelayFault, clock: Clock) {
    this.#ms = parseMilliseconds(duration);
    this.#isAfter = when === 'AfterRequest';
    this.#pauses = new Pauses(clock);
  }

  handle(ctx: ApiContext, next: Next): unknown {
    if (!this.#isAfter || isLongRunning(ctx.state.requestInfo)) return this.#wait(ctx).then(() => runUnlessOver(ctx, next));
    const withheld = new WithheldResponse(ctx.res, () => this.#pauses.after(this.#ms, () => withheld.release()));
    return next();
  }

  stop(): void {
    this.#pauses.endAll();
  }

  /** Resolves after the delay, or when the client no longer waits. */
  #wait({ state }: ApiContext): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#pauses.after(this.#ms, resolve);
      state.onAbort(() => {
        cancel();
        resolve();
      });
    });
  }
}

/** Skips a request that was aborted by its client or a timeout. */
const runUnlessOver = ({ state }: ApiContext, next: Next): unknown => (state.isAborted ? undefined : next());
