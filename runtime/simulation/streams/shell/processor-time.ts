import { TimeSlice } from '../../../machinery/event-loop/yield.ts';

/** The most commands of a process and its children without a rest. */
const maxCommands = 100_000;
/** Processes get greater numbers. */
const firstPid = 10;
/** The most processes at once. */
const maxChildren = 64;

/** A process was killed from outside. */
export class KilledError extends Error {
  readonly exitCode: number;

  constructor(exitCode = 137) {
    super('Killed');
    this.exitCode = exitCode;
  }
}

/** Waits after so many commands that a process counts as one that never rests. */
type Rest = () => Promise<void>;

interface Shared {
  readonly slice: TimeSlice;
  readonly rest: Rest | undefined;
  readonly root: () => ProcessorTime;
  commands: number;
  children: number;
  lastPid: number;
}

/** The processor time of one simulated process. The server's other work gets its turns. */
export class ProcessorTime {
  readonly #shared: Shared;
  readonly #listeners = new Set<() => void>();
  #exitCode: number | undefined;

  private constructor(shared: Shared) {
    this.#shared = shared;
  }

  /**
   * Returns the time of a new process.
   *
   * @param signal aborted when the process is no longer needed
   * @param rest called after 100,000 commands; without it, the process is killed
   */
  static of(signal: AbortSignal, rest?: Rest): ProcessorTime {
    const time: ProcessorTime = new ProcessorTime({
      slice: new TimeSlice(),
      rest,
      root: () => time,
      commands: 0,
      children: 0,
      lastPid: firstPid,
    });
    if (signal.aborted) time.kill();
    else signal.addEventListener('abort', () => time.kill(), { once: true });
    return time;
  }

  get isKilled(): boolean {
    return this.#exitCode !== undefined;
  }

  /** Kills the process and its children. */
  kill(exitCode = 137): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = exitCode;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls the listener once when the process is killed, at once if it has been. Returns a function that forgets it. */
  onKill(listener: () => void): () => void {
    if (this.isKilled) listener();
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @throws KilledError if the process is to end */
  check(): void {
    if (this.#exitCode !== undefined) throw new KilledError(this.#exitCode);
  }

  /**
   * Gives turns to other work when the process has run long enough. Must be awaited before each longer piece of work.
   *
   * @throws KilledError if the process is to end
   */
  async use(): Promise<void> {
    if (this.#shared.slice.isOver) await this.#shared.slice.next();
    this.check();
  }

  /** Counts a command of a script, and gives turns to other work. */
  async command(): Promise<void> {
    if (++this.#shared.commands > maxCommands) {
      this.#shared.commands = 0;
      if (this.#shared.rest === undefined) this.#shared.root().kill();
      else await this.#shared.rest();
    }
    await this.use();
  }

  /** Notes that the process rests, so that its commands count anew. */
  rested(): void {
    this.#shared.commands = 0;
  }

  /**
   * Runs a child, which can be killed alone.
   *
   * @throws NoForkError if there are too many
   */
  async child<T>(run: (time: ProcessorTime, pid: number) => Promise<T>): Promise<T> {
    const shared = this.#shared;
    if (shared.children >= maxChildren) throw new NoForkError();
    const child = new ProcessorTime(shared);
    const forget = this.onKill(() => child.kill(this.#exitCode));
    shared.children++;
    try {
      return await run(child, ++shared.lastPid);
    } finally {
      shared.children--;
      forget();
    }
  }
}

/** There are too many processes. */
export class NoForkError extends Error {
  constructor() {
    super("can't fork: Resource temporarily unavailable");
  }
}
