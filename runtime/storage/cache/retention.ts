/** Consecutive commits that are discarded together. */
interface Span {
  /** The time of the first commit, in milliseconds. */
  readonly time: number;
  /** The newest revision. */
  revision: number;
  /** The bytes of replaced states. */
  bytes: number;
}

/** The longest span in milliseconds. */
const spanMs = 1000;

/** Decides how much history is retained: a time window, limited by a budget of bytes. */
export class Retention {
  readonly #windowMs: number;
  readonly #budget: number;
  #spans: Span[] = [];
  #bytes = 0;

  constructor(windowMs: number, budget: number) {
    this.#windowMs = windowMs;
    this.#budget = budget;
  }

  record(revision: number, bytes: number, now: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && now - last.time < spanMs && last.bytes + bytes < this.#budget / 16) {
      last.revision = revision;
      last.bytes += bytes;
    } else {
      this.#spans.push({ time: now, revision, bytes });
    }
    this.#bytes += bytes;
  }

  /** Returns the oldest revision in the window, if it has changed. Older revisions can be compacted. */
  expire(now: number): number | undefined {
    return this.#drop((span) => span.time + spanMs <= now - this.#windowMs);
  }

  /** Returns the oldest revision within the budget, if it has changed. The newest span is always retained. */
  overflow(): number | undefined {
    return this.#drop(() => this.#bytes > this.#budget);
  }

  #drop(isOver: (span: Span) => boolean): number | undefined {
    let oldest: number | undefined;
    let count = 0;
    for (const span of this.#spans) {
      if (count === this.#spans.length - 1 || !isOver(span)) break;
      oldest = span.revision;
      this.#bytes -= span.bytes;
      count += 1;
    }
    if (count > 0) this.#spans.splice(0, count);
    return oldest;
  }
}
