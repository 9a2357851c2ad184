/**
 * Since when the stored bytes of a resource are those of its newest definition: what was written before, or is being
 * written by a definition that was replaced, may be of another schema.
 */
export class SchemaHistory {
  readonly #revision: () => number;
  #changedAt: number;
  #draining = 0;

  /**
   * @param changedAt the revision of the change that made the definition what it is
   * @param revision the newest one of the store
   */
  constructor(changedAt: number, revision: () => number) {
    this.#changedAt = changedAt;
    this.#revision = revision;
  }

  /** Of a resource of which nobody saw what was written when: all of it may be of another schema. */
  static unknown(): SchemaHistory {
    const history = new SchemaHistory(0, () => 0);
    history.drain();
    return history;
  }

  /** What is written after this revision is as the newest definition writes it. */
  get changedAt(): number {
    return this.#draining > 0 ? Number.POSITIVE_INFINITY : this.#changedAt;
  }

  changed(revision: number): void {
    this.#changedAt = Math.max(this.#changedAt, revision);
  }

  /** A replaced definition has writes under way; call the result when they are done. */
  drain(): () => void {
    this.#draining++;
    return () => {
      this.#draining--;
      this.changed(this.#revision());
    };
  }
}

/** The writes of one definition that are under way. */
export class WritesUnderWay {
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

  /** The definition is replaced: nothing new should begin, what is under way still ends. */
  retire(history: SchemaHistory): void {
    if (this.#count > 0 && this.#onDone === undefined) this.#onDone = history.drain();
  }
}
