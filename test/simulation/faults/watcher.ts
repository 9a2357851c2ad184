import { setTimeout } from 'node:timers/promises';
import type { ClientOptions } from '../../../runtime/client/options.ts';
import type { Random } from '../../support/random.ts';
import { type WatchEvent, WatchStream } from '../../support/watch-stream.ts';
import { expectSame } from '../checks.ts';
import type { Version } from '../linearizability/object-model.ts';
import type { ObjectClient, Place } from './object-client.ts';
import { versionOf } from './wire.ts';

/** What a watcher saw between two lists. */
interface Segment {
  readonly from: number;
  upTo: number;
  readonly seen: { revision: number; name: string }[];
}

/** A client that lists and watches, comes back when it is disconnected, and lists again when its revision is too old. */
export class Watcher {
  readonly #id: string;
  readonly #place: Place;
  readonly #random: Random;
  readonly #client: ObjectClient;
  readonly #servers: readonly (() => ClientOptions)[];
  readonly #segments: Segment[] = [];
  #state = new Map<string, Version>();
  #mustList = true;
  #stream: WatchStream | undefined;
  #until: number | undefined;
  /** Called when it has seen all until `until`. */
  #done = (): void => {};

  constructor(
    id: string,
    place: Place,
    { client, servers, random }: { client: ObjectClient; servers: readonly (() => ClientOptions)[]; random: Random },
  ) {
    this.#id = id;
    this.#place = place;
    this.#client = client;
    this.#servers = servers;
    this.#random = random;
  }

  /** Runs until it has seen `finish`'s revision. */
  async run(): Promise<void> {
    while (!this.#isDone()) {
      if (this.#mustList) await this.#list();
      else await this.#watch();
    }
    this.#stream?.close();
    this.#done();
  }

  /** Resolves when all changes up to a revision were seen. */
  finish(revision: number): Promise<void> {
    this.#until = revision;
    return new Promise((resolve) => {
      this.#done = resolve;
      // it may have seen all already
      if (this.#isDone()) this.#stream?.close();
    });
  }

  /** Where it is, for errors. */
  get position(): string {
    return `${this.#id} is at ${this.#segments.at(-1)?.upTo}`;
  }

  /** Whether it saw all changes, from its first list on. */
  get isComplete(): boolean {
    return this.#segments.length === 1;
  }

  #isDone(): boolean {
    return this.#until !== undefined && (this.#segments.at(-1)?.upTo ?? 0) >= this.#until;
  }

  async #list(): Promise<void> {
    const found = await this.#client.list();
    if (found === undefined) {
      await setTimeout(20);
      return;
    }
    this.#mustList = false;
    this.#state = new Map(found.objects);
    this.#segments.push({ from: found.revision, upTo: found.revision, seen: [] });
  }

  async #watch(): Promise<void> {
    const segment = this.#segments[this.#segments.length - 1];
    const { kind, namespace } = this.#place;
    const bookmarks = this.#random.chance(0.5) ? '&allowWatchBookmarks=true' : '';
    const path = `${kind.path(namespace)}?watch=1&resourceVersion=${segment.upTo}${bookmarks}`;
    const { server: url, ca, cert, key } = this.#random.pick(this.#servers)();
    const place = { url, caCertificate: String(ca), clientCertificate: String(cert), clientKey: String(key) };
    try {
      this.#stream = await WatchStream.open(place, path);
    } catch {
      await setTimeout(20);
      return;
    }
    this.#mustList = this.#stream.status === 410;
    if (this.#stream.status !== 200) {
      this.#stream.close();
      await setTimeout(20);
      return;
    }
    let patience =
      this.#until === undefined && this.#random.chance(0.5) ? this.#random.between(1, 60) : Number.POSITIVE_INFINITY;
    while (!this.#isDone() && !this.#mustList && patience-- > 0) {
      const event = await this.#stream.next();
      if (event === undefined) break;
      this.#take(event, segment);
    }
    this.#stream.close();
  }

  #take({ type, object }: WatchEvent, segment: Segment): void {
    if (type === 'ERROR') {
      this.#mustList = object.code === 410;
      return;
    }
    const revision = Number(object.metadata.resourceVersion);
    const about = `${this.#id}: ${type} at ${revision} after ${segment.upTo}`;
    if (type === 'BOOKMARK' ? revision < segment.upTo : revision <= segment.upTo)
      throw new Error(`${about}: out of order`);
    segment.upTo = revision;
    const name: string = object.metadata.name;
    if (type === 'BOOKMARK' || !this.#place.names.includes(name)) return;
    const version = versionOf(object);
    const before = this.#state.get(name);
    expectSame(type, before === undefined ? 'ADDED' : type === 'DELETED' ? 'DELETED' : 'MODIFIED', about);
    if (before !== undefined) expectSame(version.uid, before.uid, about);
    if (type === 'DELETED') expectSame(version, { ...before, revision }, about);
    if (type === 'DELETED') this.#state.delete(name);
    else this.#state.set(name, version);
    segment.seen.push({ revision, name });
    this.#place.history.changes.note({ name, revision, ...(type === 'DELETED' ? {} : { version }) });
  }

  /** What it saw is all that anybody knows of. */
  check(): void {
    for (const { from, upTo, seen } of this.#segments) {
      const want = this.#place.history.changes.between(from, upTo).map(({ revision, name }) => ({ revision, name }));
      expectSame(seen, want, `${this.#id} from ${from} to ${upTo}`);
    }
  }
}
