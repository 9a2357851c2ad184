import { MappedPages } from './mapped-pages.ts';

/** While the file is in use, it is reopened when this many times as much is mapped. Reads then wait about 3 ms. */
const inUseFactor = 16;

export interface ReopenerOptions {
  /** As in LmdbOptions. */
  readonly after: { readonly bytes: number; readonly ms: number };
  /** Whether a sweep is in progress. Reopening would have to wait for it, which can take long. */
  isBusy(): boolean;
  /** Opens the data file again. Does not reject. */
  reopen(): Promise<void>;
}

/**
 * Reopens the data file when much of it is mapped and it is idle, or when very much of it is mapped. It checks periodically
 * while the file is in use, and once more after that.
 */
export class Reopener {
  readonly #options: ReopenerOptions;
  readonly #mapped = new MappedPages();
  /** Counts reads and commits, which map the pages that they read. */
  #uses = 0;
  /** Until the next check. */
  #timer: NodeJS.Timeout | undefined;
  #inProgress: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReopenerOptions) {
    this.#options = options;
  }

  /** Set while the data file is being reopened and must not be used. */
  get inProgress(): Promise<void> | undefined {
    return this.#inProgress;
  }

  recordUse(): void {
    this.#uses += 1;
    if (this.#timer === undefined && !this.#closed) this.#scheduleCheck();
  }

  /** Prevents further reopening. One in progress continues. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #scheduleCheck(): void {
    const before = this.#uses;
    const { bytes, ms } = this.#options.after;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#closed || this.#inProgress !== undefined) return;
      const isIdle = this.#uses === before;
      if (this.#options.isBusy()) this.#scheduleCheck();
      else if (this.#mapped.growth >= (isIdle ? bytes : bytes * inUseFactor)) this.#reopen();
      else if (!isIdle) this.#scheduleCheck();
    }, ms);
    this.#timer.unref();
  }

  #reopen(): void {
    this.#inProgress = this.#options.reopen().finally(() => {
      this.#mapped.opened();
      this.#inProgress = undefined;
    });
  }
}
