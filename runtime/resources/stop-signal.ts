/** Tells listeners once that something has stopped, like Go's stop channel. */
export class StopSignal {
  #stopped = false;
  readonly #listeners = new Set<() => void>();

  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Calls `listener` on stop, or in a microtask if it has already stopped. The returned function unsubscribes.
   */
  onStop(listener: () => void): () => void {
    if (this.#stopped) queueMicrotask(listener);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
