/**
 * Work that the event loop waits for and Node does not tell of: that of other threads and of libraries. It is counted so that the
 * test kit knows when nothing is under way.
 */
class PendingWork {
  #count = 0;

  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Counts `work` until it is settled. */
  async await<T>(work: Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await work;
    } finally {
      this.#count--;
    }
  }
}

/** Of this process. */
export const pendingWork = new PendingWork();
