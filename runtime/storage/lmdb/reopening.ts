import { MappedPages } from './mapped-pages.ts';

/** So many times as much is mapped before those who use the file wait for it to be opened again: about 3 ms. */
const timesInUse = 16;

export interface ReopeningParts {
  /** As in LmdbOptions. */
  readonly after: { readonly bytes: number; readonly ms: number };
  /** Whether a sweep is under way: it would have to be waited for, and may take long. */
  isBusy(): boolean;
  /** Opens the data file again. Does not reject. */
  reopen(): Promise<void>;
}

/**
 * Opens the data file again when much of it is mapped and it is not in use; when very much is, between two uses. As
 * long as it is used it is looked at, afterwards once.
 */
export class Reopening {
  readonly #parts: ReopeningParts;
  readonly #mapped = new MappedPages();
  /** Counts what maps pages: reads, and commits, which read what they change. */
  #uses = 0;
  /** Until the next look at how much of the file is mapped. */
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #closed = false;

  constructor(parts: ReopeningParts) {
    this.#parts = parts;
  }

  /** While the data file is opened again: nobody may use it. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay;
  }

  noteUse(): void {
    this.#uses += 1;
    if (this.#timer === undefined && !this.#closed) this.#lookLater();
  }

  /** No other begins; the one that is under way goes on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    const before = this.#uses;
    const { bytes, ms } = this.#parts.after;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#closed || this.#underWay !== undefined) return;
      const isQuiet = this.#uses === before;
      if (this.#parts.isBusy()) this.#lookLater();
      else if (this.#mapped.grown >= (isQuiet ? bytes : bytes * timesInUse)) this.#reopen();
      else if (!isQuiet) this.#lookLater();
    }, ms);
    this.#timer.unref();
  }

  #reopen(): void {
    this.#underWay = this.#parts.reopen().finally(() => {
      this.#mapped.opened();
      this.#underWay = undefined;
    });
  }
}
