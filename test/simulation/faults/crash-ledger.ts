import type { TestObject } from '../../support/test-object.ts';
import { versionOf } from './wire.ts';

/** The mark of the write that set an object's state; undefined for an absent object. */
type State = number | undefined;

interface Entry {
  state: State;
  /** The state if the unanswered write took effect. */
  pending?: { readonly state: State };
}

/** The acknowledged states of objects with one writer each, by path. */
export class CrashLedger {
  readonly #entries = new Map<string, Entry>();
  /** The highest acknowledged revision. */
  revision = 0;

  state(path: string): State {
    return this.#entries.get(path)?.state;
  }

  begin(path: string, state: State): void {
    this.#entries.set(path, { state: this.state(path), pending: { state } });
  }

  /** @param object the object in the response; undefined for a deletion */
  acknowledge(path: string, object: TestObject | undefined): void {
    const state = this.#entries.get(path)?.pending?.state;
    this.#entries.set(path, { state });
    this.revision = Math.max(this.revision, Number(object?.metadata.resourceVersion ?? 0));
  }

  /** Forgets the objects below a path. */
  forget(prefix: string): void {
    for (const path of this.#entries.keys()) if (path.startsWith(prefix)) this.#entries.delete(path);
  }

  /**
   * Compares all objects below a path with the acknowledged states. Uncertain states become certain.
   *
   * @throws if an acknowledged write is lost, or an object is torn or was never written
   */
  check(prefix: string, items: readonly TestObject[]): void {
    const found = new Map(items.map((item) => [`${prefix}${item.metadata.name}`, versionOf(item).writer]));
    for (const path of found.keys()) if (!this.#entries.has(path)) throw new Error(`nobody wrote ${path}`);
    for (const [path, entry] of this.#entries) {
      if (!path.startsWith(prefix)) continue;
      const state = found.get(path);
      const isAllowed = state === entry.state || (entry.pending !== undefined && state === entry.pending.state);
      if (!isAllowed) throw new Error(`${path} is ${state} and not ${entry.state} or ${entry.pending?.state}`);
      this.#entries.set(path, { state });
    }
  }
}
