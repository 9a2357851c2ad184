import type { EngineState } from '../kv/engine-states.ts';
import type { Expiring } from '../mvcc/expiry.ts';
import { type Tree, treeGet, treeSize } from '../mvcc/ordered-tree.ts';
import type { StoredValue } from '../mvcc/stored-value.ts';
import type { MemoryExpiry } from './memory-expiry.ts';

/** A memory engine at one revision: a root, which is never changed in place. */
export class MemoryState implements EngineState {
  readonly revision: number;
  readonly root: Tree<StoredValue>;
  readonly expiry: MemoryExpiry;
  /** When it was kept, in milliseconds since 1970. */
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

  /** What expires in a store that begins with it: everything has as long to live as it had. */
  remaining(now: number): MemoryExpiry {
    return this.expiry.copy(passed(this.time, now));
  }

  /** When a key expires that has its state of here again, and as long to live, in milliseconds since 1970. */
  expires(orderKey: string, now: number): number | undefined {
    this.#expires ??= new Map([...this.expiry.all()].map((entry) => [idOf(entry), entry.expires]));
    if (this.#expires.size === 0) return undefined;
    const stored = treeGet(this.root, orderKey);
    const expires = stored && this.#expires.get(idOf(stored));
    return expires && expires + passed(this.time, now);
  }
}

/** Whole seconds, so that keys that expire together still do. */
const passed = (from: number, to: number): number => Math.floor((to - from) / 1000) * 1000;

const idOf = ({ key, modRevision }: Pick<Expiring, 'key' | 'modRevision'>): string => `${modRevision} ${key}`;
