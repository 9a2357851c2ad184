interface Span {
  /** When it began, in milliseconds. */
  readonly time: number;
  /** The newest revision in it. */
  revision: number;
  /** Bytes of objects that only the history holds since. */
  bytes: number;
}

/** Commits of one second are forgotten together. */
const spanMs = 1000;

/** Decides how far back history is kept: a window of time, and a budget of bytes in case much changes in it. */
export class Retention {
  readonly #windowMs: number;
  readonly #budget: number;
  #spans: Span[] = [];
  #bytes = 0;

  constructor(windowMs: number, budget: number) {
    this.#windowMs = windowMs;
    this.#budget = budget;
  }

  note(revision: number, bytes: number, now: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && now - last.time < spanMs && last.bytes + bytes < this.#budget / 16) {
      last.revision = revision;
      last.bytes += bytes;
    } else {
      this.#spans.push({ time: now, revision, bytes });
    }
    this.#bytes += bytes;
  }

  /** The oldest revision that the window still needs, if it has moved; what is before may be compacted. */
  expire(now: number): number | undefined {
    return this.#drop((span) => span.time + spanMs <= now - this.#windowMs);
  }

  /** The oldest revision the budget can pay for, if it has moved. The newest commits are always kept. */
  overflow(): number | undefined {
    return this.#drop(() => this.#bytes > this.#budget);
  }

  #drop(isOver: (span: Span) => boolean): number | undefined {
    let oldest: number | undefined;
    let count = 0;
    while (count < this.#spans.length - 1 && isOver(this.#spans[count])) {
      oldest = this.#spans[count].revision;
      this.#bytes -= this.#spans[count].bytes;
      count += 1;
    }
    if (count > 0) this.#spans.splice(0, count);
    return oldest;
  }
}
