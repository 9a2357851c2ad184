import { MappedPages } from './mapped-pages.ts';

/**
 * The factor by which more must be mapped before the file is reopened while it is in use. Reads then wait about 3 ms.
 */
const inUseFactor = 16;

export interface ReopenerOptions {
  /** See LmdbOptions. */
  readonly after: { readonly bytes: number; readonly ms: number };
  /** Reports whether a sweep is running. Reopening would wait for it, which can take long. */
  isBusy(): boolean;
  /** Opens the data file again. Does not reject. */
  reopen(): Promise<void>;
}

/**
 * Reopens the data file when much of it is mapped and it is idle, or when very much of it is mapped. Checks
 * periodically while the file is in use, and once more after that.
 */
export class Reopener {
  readonly #options: ReopenerOptions;
  readonly #mapped = new MappedPages();
  /** The number of reads and commits, which map the pages that they read. */
  #uses = 0;
  /** The timer of the next check. */
  #timer: NodeJS.Timeout | undefined;
  #inProgress: Promise<void> | undefined;
  #closed = false;

  constructor(options: ReopenerOptions) {
    this.#options = options;
  }

  /** Set while the data file is being reopened. It must not be used then. */
  get inProgress(): Promise<void> | undefined {
    return this.#inProgress;
  }

  recordUse(): void {
    this.#uses += 1;
    if (this.#timer === undefined && !this.#closed) this.#scheduleCheck();
  }

  /** Prevents further reopening. A running one continues. */
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
