import type { ApiContext, Next } from '../../../http/context.ts';
import { isLongRunning } from '../../../http/request-info.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import type { DelayFault } from '../fault-plan.ts';
import { Pauses } from '../pauses.ts';
import { WithheldResponse } from '../withheld-response.ts';
import type { FaultAction } from './action.ts';

/** Makes a request wait before it is performed, or its answer before it is sent. */
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

  /** Resolves after the delay, or when nobody waits for the answer any more. */
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

/** A request whose client has gone, or has been told of a timeout, is not performed. */
const runUnlessOver = ({ state }: ApiContext, next: Next): unknown => (state.isAborted ? undefined : next());
