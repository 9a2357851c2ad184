import type { EngineState } from '../kv/engine-states.ts';
import type { Expiring } from '../mvcc/expiry.ts';
import { type Tree, treeGet } from '../mvcc/ordered-tree.ts';
import type { StoredValue } from '../mvcc/stored-value.ts';
import type { MemoryExpiry } from './memory-expiry.ts';

/** A memory engine at one revision: a root, which is never changed in place. */
export class MemoryState implements EngineState {
  readonly revision: number;
  readonly root: Tree<StoredValue>;
  readonly expiry: MemoryExpiry;
  #expires: ReadonlyMap<string, number> | undefined;

  constructor(revision: number, root: Tree<StoredValue>, expiry: MemoryExpiry) {
    this.revision = revision;
    this.root = root;
    this.expiry = expiry;
  }

  /** When the state that a key has here expires, in milliseconds since 1970. */
  expires(orderKey: string): number | undefined {
    this.#expires ??= new Map([...this.expiry.all()].map((entry) => [idOf(entry), entry.expires]));
    if (this.#expires.size === 0) return undefined;
    const stored = treeGet(this.root, orderKey);
    return stored && this.#expires.get(idOf(stored));
  }
}

const idOf = ({ key, modRevision }: Pick<Expiring, 'key' | 'modRevision'>): string => `${modRevision} ${key}`;
