import type { Clock } from '../../machinery/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Requests a response; the caller reports it with `heard`. */
  readonly ask: () => void;
  /** Called once, when no response arrived. */
  readonly onSilent: () => void;
}

/** Milliseconds of silence before the first request, and between requests. */
const [silencePeriod, askPeriod] = [5_000, 1_000];

/** The most requests: a member does not respond while it is sending changes. */
const maxAsked = 5;

/**
 * Detects that a stream is dead, at most fifteen seconds after its last message. Pings of the connection do not
 * suffice, because the member may have lost the stream.
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

  /** Reports a message of the stream. */
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
