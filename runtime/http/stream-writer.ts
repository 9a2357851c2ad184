/** Writes a response in chunks, for long lists and watches. */
export interface StreamWriter {
  /** Queues a chunk. Returns false if the writer should wait for `drained`. Does nothing once the stream is closed. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when the queue has room again, or the stream closes. */
  drained(): Promise<void>;
  /** Ends a complete response. */
  end(): void;
  /** Ends the response so that the client knows that it is incomplete. */
  abort(): void;
  /** True once the client has disconnected, or `end` or `abort` was called. */
  readonly closed: boolean;
  /** The number of queued bytes that the network has not accepted. */
  readonly pending: number;
  /** Calls back once when the stream closes, or at once if it is closed. */
  onClose(listener: () => void): void;
}

/** The common part of all streams: waits for room, and closes once. */
export abstract class OpenStream implements StreamWriter {
  #listeners: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  #closed = false;

  abstract write(chunk: Uint8Array | string): boolean;
  abstract readonly pending: number;
  protected abstract readonly isFull: boolean;
  /** Signals the end of a complete response. */
  protected abstract finish(): void;
  /** Signals that the response is incomplete. */
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
    this.onClosed();
  }

  abort(): void {
    if (this.#closed) return;
    this.destroy();
    this.onClosed();
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#listeners.push(listener);
  }

  /** Called when the queue has room again. */
  protected onRoom(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Called when the stream closes; later calls do nothing. */
  protected onClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onRoom();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
