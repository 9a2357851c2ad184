import { type Clock, systemClock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Change, ChangeSummary, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from '../kv/engine.ts';
import type { EngineState, EngineStates } from '../kv/engine-states.ts';
import { countUpTo } from '../mvcc/count-up-to.ts';
import { type Expiring, KeyExpiry } from '../mvcc/expiry.ts';
import { GroupCommit, type PendingStates } from '../mvcc/group-commit.ts';
import { orderKey } from '../mvcc/keys.ts';
import { type Edit, newEdit, type Tree, treeGet, treePut, treeRemove, treeScan } from '../mvcc/ordered-tree.ts';
import { checkNotCompacted, checkNotFuture, checkReadable } from '../mvcc/readable.ts';
import { StoredValue, summaryOf } from '../mvcc/stored-value.ts';
import { MemoryExpiry } from './memory-expiry.ts';
import { MemoryState } from './memory-state.ts';
import { planReplay, type ReplayedChange } from './replaying.ts';
import { planRestoration } from './restoration.ts';

/** Creates an engine without a disk. It is the simplest engine and the reference for the others. */
export function createMemoryEngine(clock: Clock = systemClock): MemoryEngine {
  return new MemoryEngine(clock, new MemoryState(1, undefined, new MemoryExpiry(), clock.now()));
}

export class MemoryEngine implements EngineStates {
  /**
   * The changes from the oldest readable revision, compacted + 1, on. `current` has the state after each change, or the
   * last state for a delete; `previous` has the state before.
   */
  #revisions: number[] = [];
  #current: StoredValue[] = [];
  #previous: (StoredValue | undefined)[] = [];
  /** The keys after the newest change. */
  #root: Tree<StoredValue>;
  /** Replaced whenever a state is kept. All other roots only live during the call that reads them. */
  #edit = newEdit();
  #compacted: number;
  readonly #clock: Clock;
  readonly #commits: GroupCommit;
  readonly #expiring: MemoryExpiry;
  readonly #expiry: KeyExpiry;
  /** The roots of restored states after their restoration. Later roots share most of their nodes. */
  readonly #restored = new WeakMap<EngineState, Tree<StoredValue>>();

  constructor(clock: Clock, state: MemoryState) {
    const { revision, root } = state;
    this.#clock = clock;
    this.#root = root;
    this.#compacted = revision - 1;
    this.#expiring = state.remaining(clock.now());
    this.#commits = new GroupCommit(
      {
        lookup: (key) => treeGet(this.#root, orderKey(key)),
        commit: async (changes, expiring) => this.#apply(changes, expiring),
      },
      revision,
      clock,
    );
    this.#expiry = new KeyExpiry({ clock, index: this.#expiring, write: (write) => this.write(write) });
    void this.#expiry.start();
  }

  revision(): number {
    return this.#commits.revision();
  }

  /** Returns the newest revision: no other process writes to the store. */
  currentRevision(): number {
    return this.revision();
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

  write(write: Write): Promise<EngineResult> {
    return this.#commits.write(write);
  }

  /** Deletes the existing keys at one revision, and resolves with it. The revision is taken even if no key exists. */
  deleteTogether(keys: Iterable<string>): Promise<number> {
    return this.#commits.deleteTogether(keys);
  }

  /**
   * Commits changes of another store in one batch, at their revisions. The revision is at least `revision` afterwards.
   *
   * @throws StorageError `corrupt` if the changes do not follow from the current state
   */
  replay(changes: readonly ReplayedChange[], revision: number): Promise<void> {
    return this.#commits.together((pending, next) => {
      const stateOf = (key: string): KeyValue | undefined => {
        const before = pending.get(key);
        return before === undefined ? treeGet(this.#root, orderKey(key)) : before.state;
      };
      return planReplay({ changes, revision, next, stateOf });
    }).committed;
  }

  state(): EngineState {
    const revision = this.revision();
    const root = this.#rootAt(revision);
    this.#edit = newEdit();
    return new MemoryState(revision, root, this.#expiring.copy(), this.#clock.now());
  }

  restore(
    state: EngineState,
    continues: (before: KeyValue, after: KeyValue) => boolean,
  ): { readonly revision: number; readonly committed: Promise<void> } {
    const kept = memoryState(state);
    const expires = (key: string): number | undefined => kept.expires(key, this.#clock.now());
    return this.#commits.together((pending, next) => {
      const from = this.#rootWith(pending);
      const to = this.#restored.has(state) ? this.#restored.get(state) : kept.root;
      const planned = planRestoration({ from, to, next, continues, expires });
      this.#restored.set(state, applied(from, planned.changes, newEdit()));
      return planned;
    });
  }

  fork(state: EngineState, clock = this.#clock): EngineStates {
    return new MemoryEngine(clock, memoryState(state));
  }

  async changes(revision: number, limit: number): Promise<readonly ChangeSummary[]> {
    this.#commits.checkOpen();
    checkNotCompacted(revision, this.#compacted);
    const summaries: ChangeSummary[] = [];
    const end = this.#position(this.revision());
    for (let at = this.#position(revision); at < end; at += 1) {
      if (summaries.length >= limit && this.#revisions[at] !== this.#revisions[at - 1]) break;
      summaries.push(summaryOf(this.#changeAt(at)));
    }
    return summaries;
  }

  listen(listener: EngineListener): () => void {
    return this.#commits.listen(listener);
  }

  async compact(revision: number): Promise<void> {
    this.#commits.checkOpen();
    checkNotFuture(revision, this.revision());
    if (revision - 1 <= this.#compacted) return;
    const from = this.#position(revision);
    this.#revisions = this.#revisions.slice(from);
    this.#current = this.#current.slice(from);
    this.#previous = this.#previous.slice(from);
    this.#compacted = revision - 1;
  }

  async close(): Promise<void> {
    const closed = this.#commits.close();
    await this.#expiry.close();
    await closed;
  }

  #apply(changes: readonly Change[], expiring: readonly Expiring[]): void {
    for (const entry of expiring) {
      this.#expiring.add(entry);
      this.#expiry.added(entry.expires);
    }
    this.#root = applied(this.#root, changes, this.#edit);
    for (const change of changes) {
      const state = StoredValue.of(change.current);
      this.#revisions.push(change.revision);
      this.#current.push(state);
      this.#previous.push(change.previous === undefined ? undefined : StoredValue.of(change.previous));
    }
  }

  #changeAt(at: number): Change {
    const [revision, current, previous] = [elementAt(this.#revisions, at), elementAt(this.#current, at), this.#previous[at]];
    const { key } = current;
    if (previous === undefined) return { type: 'put', key, revision, current };
    return { type: current === previous ? 'delete' : 'put', key, revision, current, previous };
  }

  /** Returns the index of the first change after `revision`. */
  #position(revision: number): number {
    return countUpTo(revision, this.#revisions.length, (at) => this.#revisions[at] ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the root after the commit of pending writes. */
  #rootWith(pending: PendingStates): Tree<StoredValue> {
    let root = this.#root;
    for (const [key, { state }] of pending) {
      root = state === undefined ? treeRemove(root, orderKey(key)) : treePut(root, StoredValue.of(state));
    }
    // the next write must not change its nodes
    this.#edit = newEdit();
    return root;
  }

  /** Returns the newest root with the changes after `revision` undone. */
  #rootAt(revision: number): Tree<StoredValue> {
    this.#commits.checkOpen();
    checkReadable(revision, this.#compacted, this.revision());
    let root = this.#root;
    const first = this.#position(revision);
    for (let at = this.#current.length - 1; at >= first; at -= 1) {
      const previous = this.#previous[at];
      root = previous === undefined ? treeRemove(root, elementAt(this.#current, at).orderKey) : treePut(root, previous);
    }
    return root;
  }
}

function applied(root: Tree<StoredValue>, changes: readonly Change[], edit: Edit): Tree<StoredValue> {
  let tree = root;
  for (const { type, current } of changes) {
    const state = StoredValue.of(current);
    tree = type === 'put' ? treePut(tree, state, edit) : treeRemove(tree, state.orderKey, edit);
  }
  return tree;
}

function memoryState(state: EngineState): MemoryState {
  if (state instanceof MemoryState) return state;
  throw new TypeError('a state of another engine');
}
