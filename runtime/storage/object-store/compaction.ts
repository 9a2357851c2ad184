import type { Clock } from '../../machinery/clock.ts';
import { Retention } from '../cache/retention.ts';
import type { Engine } from '../kv/engine.ts';

/** Ticks during one window. */
const ticksInWindow = 10;

export interface CompactionOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Milliseconds for which history can be read and watched. */
  readonly windowMs: number;
  /** The maximum of replaced bytes in the history. More of them shorten the window. */
  readonly historyBytes: number;
  /** History ends only where `compact` is called: neither time nor bytes end it. */
  readonly keepsHistory: boolean;
  /** Discards history. @param compacted the newest revision that can no longer be read */
  readonly onCompacted: (compacted: number) => void;
  /** Runs once in each window. */
  readonly onWindow: () => void;
}

/**
 * Decides which revisions can be read, and compacts the engine.
 *
 * Revisions 1 to 9, of which 5 is compacted:
 *
 *     1 2 3 4 5 | 6 7 8 9
 *      discarded  readable: lists, watches and pages may begin at 5 or later
 *
 * The boundary moves to the right when a commit is older than the window, when replaced objects exceed the budget of bytes,
 * and on request. The caches follow at once, the engine in the background. Several processes on one engine agree on a
 * boundary there, so they do not compact it by time.
 */
export class Compaction {
  readonly #options: CompactionOptions;
  readonly #retention: Retention;
  readonly #tickMs: number;
  #revision: number;
  #ticks = 0;
  #cancelTick: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: CompactionOptions) {
    this.#options = options;
    this.#retention = new Retention(options.windowMs, options.historyBytes);
    this.#tickMs = Math.max(1, Math.floor(options.windowMs / ticksInWindow));
    this.#revision = options.engine.compactedRevision();
    this.#scheduleTick();
  }

  /** The newest revision that cannot be read; at least that of the engine. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Notes a commit, so that time and bytes count from there. Revisions from before this process are as old as the process.
   *
   * @param bytes the size of the objects that the commit replaced
   */
  record(revision: number, bytes: number): void {
    this.#retention.record(revision, bytes, this.#options.clock.now());
  }

  /** As `record`, for the commits of a running store: without effect if history is kept. */
  recordCommit(revision: number, bytes: number): void {
    if (!this.#options.keepsHistory) this.record(revision, bytes);
  }

  /** Shortens the window of the caches if replaced objects exceed the budget. */
  limitBytes(): void {
    const oldest = this.#retention.overflow();
    if (oldest !== undefined) this.raiseTo(oldest - 1);
  }

  /** Discards the history of the caches up to a revision. The engine keeps its own. */
  raiseTo(compacted: number): void {
    if (compacted <= this.#revision) return;
    this.#revision = compacted;
    this.#options.onCompacted(compacted);
  }

  /** Discards everything before `oldest`, in the caches at once. @throws Error if the engine cannot */
  compact(oldest: number): Promise<void> {
    this.raiseTo(oldest - 1);
    this.#running = this.#running.catch(() => undefined).then(() => this.#options.engine.compact(oldest));
    return this.#running;
  }

  stop(): void {
    this.#cancelTick();
  }

  /** Resolves when the engine compacts no more. */
  async finished(): Promise<void> {
    await this.#running.catch(() => undefined);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#options.clock.after(this.#tickMs, () => {
      this.#expire();
      this.#ticks += 1;
      if (this.#ticks % ticksInWindow === 0) this.#options.onWindow();
      this.#scheduleTick();
    });
  }

  #expire(): void {
    const { engine, clock, keepsHistory } = this.#options;
    const oldest = keepsHistory ? undefined : this.#retention.expire(clock.now());
    if (oldest === undefined) return;
    if (engine.isShared) this.raiseTo(oldest - 1);
    // the next tick compacts again after a failure
    else this.compact(oldest).catch(() => undefined);
  }
}
