/** Writes an answer in pieces: long lists and watches. */
export interface StreamWriter {
  /** Queues a piece. False: the client is slower than the writer, which should wait for `drained`. Ignored once closed. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when the queue is short again, at once if it is; also when the stream closes. */
  drained(): Promise<void>;
  /** Ends the answer in order. */
  end(): void;
  /** Ends the answer so that the client sees that it is not whole. */
  cut(): void;
  /** The client is gone, or `end` or `cut` was called. */
  readonly closed: boolean;
  /** Bytes queued and not yet taken by the network. */
  readonly pending: number;
  /** Calls back once when the stream closes, at once if it has. */
  onClose(listener: () => void): void;
}

/** What streams of every kind have in common: waiting for room, and one end. */
export abstract class OpenStream implements StreamWriter {
  #listeners: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  #closed = false;

  abstract write(chunk: Uint8Array | string): boolean;
  abstract readonly pending: number;
  protected abstract readonly isFull: boolean;
  /** Tells the client that this is all. */
  protected abstract finish(): void;
  /** Lets the client see that there should be more. */
  protected abstract destroy(): void;

  get closed(): boolean {
    return this.#closed;
  }

  drained(): Promise<void> {
    if (this.#closed || !this.isFull) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  end(): void {
    if (this.#closed) return;
    this.finish();
    this.noteClosed();
  }

  cut(): void {
    if (this.#closed) return;
    this.destroy();
    this.noteClosed();
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#listeners.push(listener);
  }

  /** There is room again. */
  protected noteRoom(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Later calls do nothing. */
  protected noteClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.noteRoom();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
