import { TimeSlice } from '../../../machinery/event-loop/yield.ts';

/** The most commands of a process and its children. */
const maxCommands = 100_000;
/** The most nested shells. */
const maxDepth = 20;

/** A process was killed from outside. */
export class KilledError extends Error {
  constructor() {
    super('Killed');
  }
}

/** The processor time of one simulated process. The server's other work gets its turns. */
export class ProcessorTime {
  readonly #signal: AbortSignal;
  readonly #slice = new TimeSlice();
  #commands = 0;
  #depth = 0;

  /** @param signal aborted when the process is no longer needed */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Gives turns to other work when the process has run long enough. Must be awaited before each longer piece of work.
   *
   * @throws KilledError if the process is to end
   */
  async use(): Promise<void> {
    if (this.#slice.isOver) await this.#slice.next();
    if (this.#signal.aborted) throw new KilledError();
  }

  /** Counts a command of a script, and gives turns to other work. */
  async command(): Promise<void> {
    if (++this.#commands > maxCommands) throw new KilledError();
    await this.use();
  }

  /** Runs a nested shell. Resolves with undefined if too many are nested. */
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
