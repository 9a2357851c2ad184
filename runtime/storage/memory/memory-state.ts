import type { EngineState } from '../kv/engine-states.ts';
import type { Expiring } from '../mvcc/expiry.ts';
import { type Tree, treeGet, treeSize } from '../mvcc/ordered-tree.ts';
import type { StoredValue } from '../mvcc/stored-value.ts';
import type { MemoryExpiry } from './memory-expiry.ts';

/** A memory engine's state at one revision: a root, which is never changed in place. */
export class MemoryState implements EngineState {
  readonly revision: number;
  readonly root: Tree<StoredValue>;
  readonly expiry: MemoryExpiry;
  /** The time when the state was kept, in milliseconds since 1970. */
  readonly time: number;
  #expires: ReadonlyMap<string, number> | undefined;

  constructor(revision: number, root: Tree<StoredValue>, expiry: MemoryExpiry, time: number) {
    this.revision = revision;
    this.root = root;
    this.expiry = expiry;
    this.time = time;
  }

  get size(): number {
    return treeSize(this.root);
  }

  /** Returns the expiry of a store that starts with this state. Each key keeps its remaining lifetime. */
  remaining(now: number): MemoryExpiry {
    return this.expiry.copy(passed(this.time, now));
  }

  /**
   * Returns the new expiry time of a restored key, in milliseconds since 1970. The key keeps its remaining lifetime.
   */
  expires(orderKey: string, now: number): number | undefined {
    this.#expires ??= new Map([...this.expiry.all()].map((entry) => [idOf(entry), entry.expires]));
    if (this.#expires.size === 0) return undefined;
    const stored = treeGet(this.root, orderKey);
    const expires = stored && this.#expires.get(idOf(stored));
    return expires && expires + passed(this.time, now);
  }
}

/** whole seconds, so that keys that expire together still do */
const passed = (from: number, to: number): number => Math.floor((to - from) / 1000) * 1000;

const idOf = ({ key, modRevision }: Pick<Expiring, 'key' | 'modRevision'>): string => `${modRevision} ${key}`;
