/** The waiting for room in a stream, and its one end. */
export class StreamLife {
  #listeners: (() => void)[] = [];
  #waiting: (() => void)[] = [];
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** Resolves with the next `release`, and when the stream ends. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** There is room again. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Calls back once at the end, at once if it was. */
  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#listeners.push(listener);
  }

  /** Later calls do nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.release();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}
