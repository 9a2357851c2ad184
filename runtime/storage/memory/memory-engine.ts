import type { Change, ChangeNote, Engine, KeyValue, Range, RangeOptions, Write, WriteResult } from '../kv/engine.ts';
import { GroupCommit } from '../mvcc/group-commit.ts';
import { orderKey } from '../mvcc/keys.ts';
import { newEdit, type Tree, treeGet, treePut, treeRemove, treeScan } from '../mvcc/ordered-tree.ts';
import { checkHappened, checkNotCompacted, checkReadable } from '../mvcc/readable.ts';
import { noteOf, StoredValue } from '../mvcc/stored-value.ts';

/** The engine without a disk: the one to read first, and the one the others are compared with. */
export function createMemoryEngine(): Engine {
  return new MemoryEngine();
}

class MemoryEngine implements Engine {
  /**
   * The changes after the oldest readable revision, which is compacted + 1: what each made, or for a delete what it
   * ended, and what was there before. One revision, one change: the place says the revision.
   */
  #made: StoredValue[] = [];
  #replaced: (StoredValue | undefined)[] = [];
  /** The keys as of the newest change. */
  #root: Tree<StoredValue>;
  /** One for ever: no root outlives the call that reads it. */
  readonly #edit = newEdit();
  #compacted = 0;
  readonly #commits = new GroupCommit(
    {
      lookup: (key) => treeGet(this.#root, orderKey(key)),
      commit: async (changes) => this.#apply(changes),
    },
    1,
  );

  revision(): number {
    return this.#commits.revision();
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async get(key: string, revision?: number): Promise<KeyValue | undefined> {
    return treeGet(this.#rootAt(revision ?? this.revision()), orderKey(key));
  }

  async range(start: string, end: string, options: RangeOptions = {}): Promise<Range> {
    const { limit = Number.POSITIVE_INFINITY, revision = this.revision() } = options;
    const items: KeyValue[] = [];
    for (const stored of treeScan(this.#rootAt(revision), orderKey(start), orderKey(end))) {
      if (items.length >= limit) return { items, more: true, revision };
      items.push(stored);
    }
    return { items, more: false, revision };
  }

  write(write: Write): Promise<WriteResult> {
    return this.#commits.write(write);
  }

  async notes(revision: number, limit: number): Promise<readonly ChangeNote[]> {
    this.#commits.checkOpen();
    checkNotCompacted(revision, this.#compacted);
    const from = this.#position(revision);
    const notes: ChangeNote[] = [];
    const end = Math.min(from + limit, this.#position(this.revision()));
    for (let at = from; at < end; at += 1) notes.push(noteOf(this.#changeAt(at)));
    return notes;
  }

  onCommit(listener: (changes: readonly Change[]) => void): () => void {
    return this.#commits.onCommit(listener);
  }

  async compact(revision: number): Promise<void> {
    this.#commits.checkOpen();
    checkHappened(revision, this.revision());
    if (revision - 1 <= this.#compacted) return;
    const from = this.#position(revision);
    this.#made = this.#made.slice(from);
    this.#replaced = this.#replaced.slice(from);
    this.#compacted = revision - 1;
  }

  async close(): Promise<void> {
    await this.#commits.close();
  }

  #apply(changes: readonly Change[]): void {
    for (const change of changes) {
      const state = StoredValue.of(change.current);
      this.#root =
        change.type === 'put'
          ? treePut(this.#root, state, this.#edit)
          : treeRemove(this.#root, state.orderKey, this.#edit);
      this.#made.push(state);
      this.#replaced.push(change.previous === undefined ? undefined : StoredValue.of(change.previous));
    }
  }

  #changeAt(at: number): Change {
    const revision = this.#compacted + 2 + at;
    const [current, previous] = [this.#made[at], this.#replaced[at]];
    const { key } = current;
    if (previous === undefined) return { type: 'put', key, revision, current };
    return { type: current === previous ? 'delete' : 'put', key, revision, current, previous };
  }

  /** Where the changes after `revision` begin: every revision above the oldest readable one has its change. */
  #position(revision: number): number {
    return revision - (this.#compacted + 1);
  }

  /** The newest root with the changes after `revision` taken back, the last one first. */
  #rootAt(revision: number): Tree<StoredValue> {
    this.#commits.checkOpen();
    checkReadable(revision, this.#compacted, this.revision());
    let root = this.#root;
    for (let at = this.#made.length - 1; at >= this.#position(revision); at -= 1) {
      const previous = this.#replaced[at];
      root = previous === undefined ? treeRemove(root, this.#made[at].orderKey) : treePut(root, previous);
    }
    return root;
  }
}
