import type { ApiContext, Next } from '../../../http/context.ts';
import type { FrameSink, ServedWatch } from '../../../http/served-watch.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { parseMilliseconds } from '../../../machinery/go/duration.ts';
import type { HoldEventsFault } from '../fault-plan.ts';
import { isWatch, onWatch } from '../on-watch.ts';
import { Pauses } from '../pauses.ts';
import type { FaultAction } from './action.ts';

/** Delays everything that a watch sends. */
export class HoldEventsAction implements FaultAction {
  readonly #ms: number;
  readonly #pauses: Pauses;

  constructor({ duration }: HoldEventsFault, clock: Clock) {
    this.#ms = parseMilliseconds(duration);
    this.#pauses = new Pauses(clock);
  }

  isAbout(ctx: ApiContext): boolean {
    return isWatch(ctx);
  }

  handle(ctx: ApiContext, next: Next): unknown {
    onWatch(ctx, (watch) => this.#hold(watch));
    return next();
  }

  handleOpen({ state }: ApiContext): void {
    if (state.watch !== undefined) this.#hold(state.watch);
  }

  stop(): void {
    this.#pauses.endAll();
  }

  #hold(watch: ServedWatch): void {
    watch.intercept((sink) => new LateSink(sink, (send) => this.#pauses.after(this.#ms, send)));
  }
}

/** Delays writes, in order. */
class LateSink implements FrameSink {
  readonly #sink: FrameSink;
  readonly #later: (send: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #hasEnded = false;

  constructor(sink: FrameSink, later: (send: () => void) => void) {
    this.#sink = sink;
    this.#later = later;
  }

  write(...frame: Parameters<FrameSink['write']>): boolean {
    if (!this.#hasEnded) this.#add(() => this.#sink.write(...frame));
    return true;
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#add(() => this.#sink.end());
  }

  get isWithholding(): boolean {
    return this.#waiting.length > 0 || this.#sink.isWithholding;
  }

  /** Timers of the same time may fire in any order, so each sends the oldest pending write. */
  #add(send: () => void): void {
    this.#waiting.push(send);
    this.#later(() => this.#waiting.shift()?.());
  }
}
