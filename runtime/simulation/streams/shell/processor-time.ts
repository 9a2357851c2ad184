import { TimeSlice } from '../../../machinery/event-loop/yield.ts';

/** The most commands that a process and its children run. */
const maxCommands = 100_000;
/** The most shells that have started each other and wait. */
const maxDepth = 20;

/** A process was ended from outside. */
export class KilledError extends Error {
  constructor() {
    super('Killed');
  }
}

/** The time that the commands of one process in a simulated container take of this one, which others are served in, too. */
export class ProcessorTime {
  readonly #signal: AbortSignal;
  readonly #slice = new TimeSlice();
  #commands = 0;
  #depth = 0;

  /** @param signal aborted when nobody waits for the process any more */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Lets others run if this process has run long enough. Awaited before each piece of work that takes a moment.
   *
   * @throws KilledError if the process is to end
   */
  async use(): Promise<void> {
    if (this.#slice.isOver) await this.#slice.next();
    if (this.#signal.aborted) throw new KilledError();
  }

  /** The same before each command of a script. */
  async command(): Promise<void> {
    if (++this.#commands > maxCommands) throw new KilledError();
    await this.use();
  }

  /** Runs a shell within a shell. Undefined if there are too many in each other. */
  async nested(run: () => Promise<number>): Promise<number | undefined> {
    if (this.#depth >= maxDepth) return undefined;
    this.#depth++;
    try {
      return await run();
    } finally {
      this.#depth--;
    }
  }
}
