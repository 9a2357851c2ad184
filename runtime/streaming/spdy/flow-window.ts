/** The maximum bytes of one data frame, so that streams take turns. */
const maxData = 32 * 1024;

export interface Counts {
  /** Whether the other side sends window updates. */
  readonly areCounted: boolean;
  /** Bytes that may be sent before the first window update. */
  readonly initial: number;
}

/**
 * The bytes that may be sent on a stream or a connection before the other side reads some. The window is enforced only
 * if the other side enforces its own: Kubernetes' implementation never sends window updates. (SPDY/3.1 2.6.8)
 */
export class FlowWindow {
  readonly #counts: Counts;
  #moved = 0;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  /** Waits until at least one byte may be sent. Returns the number of bytes. */
  async take(wanted: number): Promise<number> {
    while (this.#room <= 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const size = Math.min(wanted, maxData, Math.max(1, this.#room));
    this.#moved -= size;
    return size;
  }

  widen(bytes: number): void {
    this.#moved += bytes;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  close(): void {
    this.#isClosed = true;
    this.widen(0);
  }

  get #room(): number {
    return this.#counts.areCounted ? this.#counts.initial + this.#moved : Number.POSITIVE_INFINITY;
  }
}
