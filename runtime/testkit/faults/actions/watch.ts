import type { ApiContext, Next } from '../../../http/context.ts';
import type { ServedWatch } from '../../../http/served-watch.ts';
import { DisturbedWatch } from '../disturbed-watch.ts';
import type { WatchFault } from '../fault-plan.ts';
import { isWatch, onWatch } from '../on-watch.ts';
import type { FaultAction } from './action.ts';

/** Stalls, closes or expires watches. */
export class WatchAction implements FaultAction {
  readonly #fault: WatchFault;
  readonly #disturbed = new Set<DisturbedWatch>();
  #isOver = false;

  constructor(fault: WatchFault) {
    this.#fault = fault;
  }

  isAbout(ctx: ApiContext): boolean {
    return isWatch(ctx);
  }

  handle(ctx: ApiContext, next: Next): unknown {
    onWatch(ctx, (watch) => this.#disturb(ctx, watch));
    return next();
  }

  handleOpen(ctx: ApiContext): void {
    if (ctx.state.watch !== undefined) this.#disturb(ctx, ctx.state.watch);
  }

  stop(): void {
    this.#isOver = true;
    for (const watch of this.#disturbed) watch.resume();
    this.#disturbed.clear();
  }

  #disturb({ state }: ApiContext, watch: ServedWatch): void {
    if (this.#isOver) return;
    const disturbed = new DisturbedWatch(watch, this.#fault);
    this.#disturbed.add(disturbed);
    state.onAbort(() => this.#disturbed.delete(disturbed));
  }
}
