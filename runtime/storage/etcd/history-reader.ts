import type { Call } from '../grpc/call.ts';
import { GRPCError } from '../grpc/grpc-status.ts';
import type { Change } from '../kv/engine.ts';
import { changeOf } from './changes.ts';
import { toStorageError } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import { decodeWatch, encodeWatchCreate } from './messages/watch.ts';

/** The most changes that wait to be read. */
const maxBuffered = 1000;

/** Milliseconds for the next changes to arrive, and for which an idle reader stays open. */
const [readTimeout, idleTimeout] = [10_000, 5_000];

/**
 * Reads past changes by a watch of all keys. Every revision changes some key, which shows when the end is reached. The
 * watch stays open for a while for the next read.
 */
export class HistoryReader {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  #call: Call | undefined;
  /** The last revision read. */
  #at = 0;
  /** Changes of whole revisions. */
  #buffer: Change[] = [];
  #bufferedTo = 0;
  #end: GRPCError | 'compacted' | undefined;
  #wake: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  /** @param prefix of the returned keys */
  constructor(client: EtcdClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /**
   * Returns whole revisions, with `limit` changes or a few more, in (after, to].
   *
   * @returns undefined if they were compacted
   * @throws StorageError `unavailable`
   */
  async read(after: number, to: number, limit: number): Promise<readonly Change[] | undefined> {
    // concurrent reads have a watch each
    if (this.#isReading) return new HistoryReader(this.#client, this.#prefix).#readOnce(after, to, limit);
    this.#isReading = true;
    try {
      return await this.#read(after, to, limit);
    } finally {
      this.#isReading = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.close(), idleTimeout);
      this.#timer.unref();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#call?.cancel(new GRPCError('Canceled', 'the watch is closed'));
    this.#call = undefined;
  }

  async #readOnce(after: number, to: number, limit: number): Promise<readonly Change[] | undefined> {
    try {
      return await this.#read(after, to, limit);
    } finally {
      this.close();
    }
  }

  async #read(after: number, to: number, limit: number): Promise<readonly Change[] | undefined> {
    if (this.#call === undefined || this.#at !== after || this.#end !== undefined) await this.#open(after);
    const timeout = setTimeout(() => {
      this.#end ??= new GRPCError('DeadlineExceeded', 'context deadline exceeded');
      this.#wake();
    }, readTimeout);
    try {
      while (this.#end === undefined && this.#bufferedTo < to && this.#buffer.length <= limit) {
        this.#call?.resume();
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timeout);
    }
    if (this.#end === 'compacted') return undefined;
    if (this.#end !== undefined) throw toStorageError(this.#end, false);
    return this.#take(to, limit);
  }

  #take(to: number, limit: number): readonly Change[] {
    let count = 0;
    let before: number | undefined;
    for (const { revision } of this.#buffer) {
      if (revision > to || (count >= limit && revision !== before)) break;
      before = revision;
      count += 1;
    }
    const taken = this.#buffer.splice(0, count);
    const [next] = this.#buffer;
    this.#at = taken.at(-1)?.revision ?? (next === undefined ? Math.min(this.#bufferedTo, to) : next.revision - 1);
    return taken;
  }

  async #open(after: number): Promise<void> {
    this.close();
    this.#at = after;
    this.#buffer = [];
    this.#bufferedTo = after;
    this.#end = undefined;
    let connection: Awaited<ReturnType<EtcdClient['connect']>>;
    try {
      connection = await this.#client.connect();
    } catch (error) {
      throw toStorageError(error, false);
    }
    const call = this.#client.openWatch(connection, {
      onMessage: (message) => {
        if (this.#call === call) this.#onMessage(message, after);
      },
      onEnd: (error) => {
        if (this.#call !== call) return;
        this.#end ??= error ?? new GRPCError('Unavailable', 'the watch has ended');
        this.#wake();
      },
    });
    this.#call = call;
    // starts at `after`; see Watcher
    call.send(encodeWatchCreate({ key: '\0', rangeEnd: '\0', startRevision: after, prevKv: true }));
  }

  #onMessage(message: Uint8Array, after: number): void {
    const { canceled, compactRevision, cancelReason, events } = decodeWatch(message);
    if (canceled) this.#end = compactRevision > 0 ? 'compacted' : new GRPCError('Canceled', cancelReason);
    for (const event of events) {
      const { key, modRevision } = event.kv;
      if (modRevision <= after) continue;
      this.#bufferedTo = modRevision;
      if (key.startsWith(this.#prefix)) this.#buffer.push(changeOf(event, () => undefined));
    }
    if (this.#buffer.length > maxBuffered) this.#call?.pause();
    this.#wake();
  }
}
