/**
 * The revision since which all stored bytes of a resource follow its newest definition. Bytes that were written before,
 * or are being written by a definition that has been replaced, may follow another schema.
 */
export class SchemaHistory {
  readonly #revision: () => number;
  #changedAt: number;
  #draining = 0;

  /**
   * @param changedAt the revision of the newest change of the definition
   * @param revision returns the newest revision of the store
   */
  constructor(changedAt: number, revision: () => number) {
    this.#changedAt = changedAt;
    this.#revision = revision;
  }

  /** For a resource whose definition was not watched: all stored bytes may follow another schema. */
  static unknown(): SchemaHistory {
    const history = new SchemaHistory(0, () => 0);
    history.drain();
    return history;
  }

  /** Bytes written after this revision follow the newest definition. Infinity while an older definition is writing. */
  get changedAt(): number {
    return this.#draining > 0 ? Number.POSITIVE_INFINITY : this.#changedAt;
  }

  changed(revision: number): void {
    this.#changedAt = Math.max(this.#changedAt, revision);
  }

  /** Call when a replaced definition has writes in flight, and the returned function when these are done. */
  drain(): () => void {
    this.#draining++;
    return () => {
      this.#draining--;
      this.changed(this.#revision());
    };
  }
}

/** The writes of one state of a definition that are in flight. */
export class WritesInFlight {
  #count = 0;
  #onDone: (() => void) | undefined;

  async run<R>(write: () => Promise<R>): Promise<R> {
    this.#count++;
    try {
      return await write();
    } finally {
      this.#count--;
      if (this.#count === 0) {
        const done = this.#onDone;
        this.#onDone = undefined;
        done?.();
      }
    }
  }

  /** The definition has been replaced: the history drains until the writes in flight are done. */
  retire(history: SchemaHistory): void {
    if (this.#count > 0 && this.#onDone === undefined) this.#onDone = history.drain();
  }
}
