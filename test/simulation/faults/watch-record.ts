import type { WatchEvent } from '../../support/watch-stream.ts';
import { expectSame } from '../checks.ts';
import type { Version } from '../linearizability/object-model.ts';
import type { ChangeLog } from './change-log.ts';
import { versionOf } from './wire.ts';

/** The events between two lists. */
interface Segment {
  readonly from: number;
  upTo: number;
  readonly seen: { readonly revision: number; readonly name: string }[];
}

/** One watcher's observations over many connections. */
export class WatchRecord {
  readonly #id: string;
  readonly #names: readonly string[];
  readonly #changes: ChangeLog;
  readonly #segments: Segment[] = [];
  #state = new Map<string, Version>();

  /** @param names the names of the relevant objects */
  constructor(id: string, names: readonly string[], changes: ChangeLog) {
    this.#id = id;
    this.#names = names;
    this.#changes = changes;
  }

  /** Starts, or starts again, from a list. */
  list(revision: number, objects: ReadonlyMap<string, Version>): void {
    this.#state = new Map(objects);
    this.#segments.push({ from: revision, upTo: revision, seen: [] });
  }

  /** The revision up to which the record is complete. The watch can resume from it. */
  get upTo(): number {
    return this.#segments.at(-1)?.upTo ?? 0;
  }

  /** The record has all changes since the first list. */
  get isComplete(): boolean {
    return this.#segments.length === 1;
  }

  /** @throws if the event cannot follow the earlier ones */
  take({ type, object }: WatchEvent): void {
    const segment = this.#segments[this.#segments.length - 1];
    const revision = Number(object.metadata.resourceVersion);
    const about = `${this.#id}: ${type} at ${revision} after ${segment.upTo}`;
    const isOld = type === 'BOOKMARK' ? revision < segment.upTo : revision <= segment.upTo;
    if (isOld) throw new Error(`${about}: out of order`);
    segment.upTo = revision;
    const name: string = object.metadata.name;
    if (type === 'BOOKMARK' || !this.#names.includes(name)) return;
    const version = versionOf(object);
    const before = this.#state.get(name);
    expectSame(type, before === undefined ? 'ADDED' : type === 'DELETED' ? 'DELETED' : 'MODIFIED', about);
    if (before !== undefined) expectSame(version.uid, before.uid, about);
    if (type === 'DELETED') {
      expectSame(version, { ...before, revision }, about);
      this.#state.delete(name);
    } else {
      this.#state.set(name, version);
    }
    segment.seen.push({ revision, name });
    this.#changes.note({ name, revision, ...(type === 'DELETED' ? {} : { version }) });
  }

  /** Checks that the record has all changes that any client knows. */
  check(): void {
    for (const { from, upTo, seen } of this.#segments) {
      const want = this.#changes.between(from, upTo).map(({ revision, name }) => ({ revision, name }));
      expectSame(seen, want, `${this.#id} from ${from} to ${upTo}`);
    }
  }
}
