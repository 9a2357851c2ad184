/**
 * Counts work of other threads and of libraries, which Node does not report. The test kit waits until the count is
 * zero.
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

/** The count of this process. */
export const pendingWork = new PendingWork();
