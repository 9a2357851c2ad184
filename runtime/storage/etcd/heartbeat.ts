import type { Clock } from '../../machinery/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Asks for an answer, of which `heard` is told. */
  readonly ask: () => void;
  /** Called once, when there was no answer. */
  readonly onSilent: () => void;
}

/** Milliseconds: how long a stream may be silent before it is asked, and between two times that it is. */
const [silencePeriod, askPeriod] = [5_000, 1_000];

/** How often a stream is asked: a member does not answer while it has changes to send. */
const maxAsked = 5;

/**
 * Finds out that a stream is silent for ever, at most fifteen seconds after it last was not. Pings of the connection do not
 * tell: the member may have forgotten the stream.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #hasHeard = false;
  #asked = 0;
  #cancelTimer: () => void;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#cancelTimer = options.clock.after(silencePeriod, () => this.#beat());
  }

  /** Something has come. */
  heard(): void {
    this.#hasHeard = true;
  }

  stop(): void {
    this.#cancelTimer();
  }

  #beat(): void {
    const { clock, ask, onSilent } = this.#options;
    if (this.#hasHeard) {
      this.#hasHeard = false;
      this.#asked = 0;
      this.#cancelTimer = clock.after(silencePeriod, () => this.#beat());
    } else if (this.#asked < maxAsked) {
      this.#asked += 1;
      this.#cancelTimer = clock.after(askPeriod, () => this.#beat());
      ask();
    } else onSilent();
  }
}
