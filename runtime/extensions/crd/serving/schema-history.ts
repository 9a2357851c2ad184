/**
 * The revision from which on all stored bytes of a resource follow its newest definition. Earlier bytes, and the bytes
 * of writes that a replaced definition has in flight, may follow another schema.
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

  /** Returns the history of a definition that was not watched: all stored bytes may follow another schema. */
  static unknown(): SchemaHistory {
    const history = new SchemaHistory(0, () => 0);
    history.drain();
    return history;
  }

  /** Bytes after this revision follow the newest definition. Infinity while an older definition is writing. */
  get changedAt(): number {
    return this.#draining > 0 ? Number.POSITIVE_INFINITY : this.#changedAt;
  }

  changed(revision: number): void {
    this.#changedAt = Math.max(this.#changedAt, revision);
  }

  /** Begins to wait for the writes in flight of a replaced definition. The returned function ends the wait. */
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
