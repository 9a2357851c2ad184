import { setTimeout } from 'node:timers/promises';
import type { ClientOptions } from '../../../runtime/client/options.ts';
import type { Random } from '../../support/random.ts';
import { WatchStream } from '../../support/watch-stream.ts';
import type { ObjectClient, Place } from './object-client.ts';
import { WatchRecord } from './watch-record.ts';
import { placeOf } from './world.ts';

interface Connections {
  /** Sends the lists. */
  readonly client: ObjectClient;
  readonly servers: readonly (() => ClientOptions)[];
  readonly random: Random;
}

/**
 * A client that lists and watches. It reconnects when it is disconnected, and lists again when its revision is too old.
 */
export class Watcher {
  readonly record: WatchRecord;
  readonly #path: string;
  readonly #connections: Connections;
  #mustList = true;
  #stream: WatchStream | undefined;
  #until = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(id: string, { names, history, kind, namespace }: Place, connections: Connections) {
    this.record = new WatchRecord(id, names, history.changes);
    this.#path = kind.path(namespace);
    this.#connections = connections;
  }

  /** Runs until it has seen the revision from `finish`. */
  async run(): Promise<void> {
    while (!this.#isDone()) {
      const isConnected = this.#mustList ? await this.#list() : await this.#watch();
      if (!isConnected) await setTimeout(20);
    }
  }

  finish(revision: number): void {
    this.#until = revision;
    // it may have seen that revision already, and would wait for more
    if (this.#isDone()) this.#stream?.close();
  }

  /** Stops at once. */
  stop(): void {
    this.#isStopped = true;
    this.#stream?.close();
  }

  #isDone(): boolean {
    return this.#isStopped || (!this.#mustList && this.record.upTo >= this.#until);
  }

  async #list(): Promise<boolean> {
    const found = await this.#connections.client.list();
    if (found === undefined) return false;
    this.record.list(found.revision, found.objects);
    this.#mustList = false;
    return true;
  }

  /** Watches over one connection. */
  async #watch(): Promise<boolean> {
    const { random, servers } = this.#connections;
    const bookmarks = random.chance(0.5) ? '&allowWatchBookmarks=true' : '';
    const path = `${this.#path}?watch=1&resourceVersion=${this.record.upTo}${bookmarks}`;
    const stream = await WatchStream.open(placeOf(random.pick(servers)()), path).catch(() => undefined);
    if (stream === undefined) return false;
    this.#stream = stream;
    this.#mustList = stream.status === 410;
    let patience = random.chance(0.5) ? random.between(1, 60) : Number.POSITIVE_INFINITY;
    while (stream.status === 200 && !this.#isDone() && patience-- > 0) {
      const event = await stream.next();
      if (event === undefined) break;
      if (event.type === 'ERROR') {
        this.#mustList = event.object.code === 410;
        break;
      }
      this.record.take(event);
    }
    stream.close();
    return stream.status === 200;
  }
}
