import { isStorageError, StorageError } from '../../runtime/storage/errors.ts';
import type {
  Change,
  ChangeSummary,
  Engine,
  EngineListener,
  EngineResult,
  KeyValue,
  Range,
  RangeOptions,
  Write,
} from '../../runtime/storage/kv/engine.ts';

/** An engine of an emptied store with revisions as if it were new. Earlier revisions are hidden. */
export class RebasedEngine implements Engine {
  readonly isShared = true;
  readonly #engine: Engine;
  readonly #base: number;

  /** @param base the revision that becomes 0 */
  constructor(engine: Engine, base: number) {
    this.#engine = engine;
    this.#base = base;
  }

  revision(): number {
    return this.#engine.revision() - this.#base;
  }

  async currentRevision(): Promise<number> {
    return (await this.#engine.currentRevision()) - this.#base;
  }

  compactedRevision(): number {
    return Math.max(0, this.#engine.compactedRevision() - this.#base);
  }

  get(key: string, revision?: number): Promise<KeyValue | undefined> {
    return this.#call(async () => {
      const found = await this.#engine.get(key, this.#up(revision));
      return found && this.#state(found);
    });
  }

  range(start: string, end: string, options: RangeOptions = {}): Promise<Range> {
    return this.#call(async () => {
      const revised = { ...options, revision: this.#up(options.revision) };
      const { items, more, revision } = await this.#engine.range(start, end, revised);
      return { items: items.map((item) => this.#state(item)), more, revision: revision - this.#base };
    });
  }

  write(write: Write): Promise<EngineResult> {
    return this.#call(async () => {
      const { expect } = write;
      const revised = expect === 'any' || expect === 0 ? expect : expect + this.#base;
      const result = await this.#engine.write({ ...write, expect: revised });
      if (result.ok) return { ok: true, change: this.#change(result.change) };
      return result.current === undefined ? result : { ok: false, current: this.#state(result.current) };
    });
  }

  changes(revision: number, limit: number): Promise<readonly (Change | ChangeSummary)[]> {
    return this.#call(async () => {
      const changes = await this.#engine.changes(revision + this.#base, limit);
      return changes.map((change) => ('size' in change ? { ...change, revision: change.revision - this.#base } : this.#change(change)));
    });
  }

  listen(listener: EngineListener): () => void {
    return this.#engine.listen({
      onCommit: (changes) => listener.onCommit(changes.map((change) => this.#change(change))),
      onLost: () => listener.onLost(),
    });
  }

  compact(revision: number): Promise<void> {
    return this.#call(() => this.#engine.compact(revision + this.#base));
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isStorageError(error) || error.revision === undefined) throw error;
      throw new StorageError(error.code, error.message, Math.max(0, error.revision - this.#base));
    }
  }

  #up(revision: number | undefined): number | undefined {
    return revision === undefined ? undefined : revision + this.#base;
  }

  #state({ key, value, createRevision, modRevision }: KeyValue): KeyValue {
    return { key, value, createRevision: createRevision - this.#base, modRevision: modRevision - this.#base };
  }

  #change(change: Change): Change {
    const { previous } = change;
    return {
      ...change,
      revision: change.revision - this.#base,
      current: this.#state(change.current),
      ...(previous && { previous: this.#state(previous) }),
    };
  }
}
