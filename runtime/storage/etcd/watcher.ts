import { type Clock, monotonicClock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { Call } from '../grpc/call.ts';
import { GRPCError } from '../grpc/grpc-status.ts';
import { compactRevKey } from './compactor.ts';
import type { Connection } from './connection.ts';
import type { EtcdClient } from './etcd-client.ts';
import { Heartbeat } from './heartbeat.ts';
import { decodeWatch, type EtcdEvent, encodeProgressRequest, encodeWatchCreate } from './messages/watch.ts';
import { supportsRequestProgress } from './progress-support.ts';
import { RevisionQueue } from './revision-queue.ts';

export interface WatcherOptions {
  readonly client: Pick<EtcdClient, 'connect' | 'status' | 'openWatch' | 'range'>;
  readonly clock: Clock;
  /** The watched keys. Events of other keys may be delivered, too. */
  readonly key: string;
  readonly rangeEnd: string;
  readonly logger: Logger;
  /** Called with all changes after the last call up to `revision`, in whole revisions. There may be none. */
  readonly onProgress: (revision: number, events: readonly EtcdEvent[]) => void;
  /** Changes up to `revision` were compacted before they could be read. */
  readonly onLost: (revision: number) => void;
  /** Called with a new value of compactRevKey. */
  readonly onCompaction: (value: string) => void;
}

/** All keys. */
const [firstKey, endOfKeys] = ['\0', '\0'];

/**
 * Milliseconds until an event should have arrived, between progress requests, and until the stream counts as broken.
 */
const [eventDelay, progressPeriod, stallTimeout] = [5, 100, 5_000];

/** Milliseconds before a broken watch is reopened: the first time, and at most. */
const [firstBackoff, maxBackoff] = [10, 1_000];

/** The reason for the end of a stream. `too early`: it began at a revision that etcd did not reach for a while. */
type StreamEnd = 'compacted' | 'too early' | GRPCError;

/**
 * Watches a range of keys until it is closed. A broken watch is reopened after the last seen revision, possibly at
 * another member.
 *
 * If RequestProgress is reliable, it shows when revisions that changed other keys are reached. On older members, the
 * watch covers all keys, so that every revision has an event. Their progress responses only show that the stream is
 * alive, and a revision whose event must still arrive.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #clock: Clock;
  /** Events that listeners do not have yet. */
  readonly #queue: RevisionQueue<EtcdEvent>;
  /** The revision up to which all changes have arrived. */
  #seen = 0;
  /** The highest revision that a caller waits for. */
  #needed = 0;
  /** The revision that the timer waits for. */
  #target = 0;
  #cancelTimer: (() => void) | undefined;
  #call: Call | undefined;
  #connection: Connection | undefined;
  #heartbeat: Heartbeat | undefined;
  #canRequestProgress = false;
  /** Whether etcd has accepted a watch. */
  #isStarted = false;
  /** The IDs that the server chose for the watch of the keys and for that of compactRevKey, once they are created. */
  #watchIds: number[] = [];
  #heardAt = 0;
  #isClosed = false;
  #cancelBackoff: () => void = () => undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#clock = monotonicClock(options.clock);
    this.#queue = new RevisionQueue(({ kv }) => kv.modRevision, options.onProgress);
  }

  /**
   * Starts after `revision`. Resolves when etcd has accepted the first watch; rejects with a GRPCError if etcd refuses
   * it.
   */
  start(revision: number): Promise<void> {
    this.#seen = revision;
    return new Promise((resolve, reject) => void this.#run(resolve, reject));
  }

  /** Makes changes up to this revision arrive soon. */
  need(revision: number): void {
    if (revision <= this.#needed) return;
    this.#needed = revision;
    if (this.#cancelTimer !== undefined || revision <= this.#seen) return;
    this.#target = revision;
    this.#heardAt = this.#clock.now();
    this.#schedule(eventDelay);
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    this.#cancelTimer?.();
    this.#cancelBackoff();
    this.#call?.cancel(new GRPCError('Canceled', 'the watch is closed'));
  }

  async #run(onStarted: () => void, onRefused: (error: unknown) => void): Promise<void> {
    let backoff = 0;
    while (!this.#isClosed) {
      const onCreated = (): void => {
        backoff = 0;
        this.#isStarted = true;
        onStarted();
      };
      try {
        const end = await this.#watch(this.#isStarted ? this.#seen : this.#seen + 1, onCreated);
        if (end === 'compacted') await this.#skip();
        else if (end !== 'too early') throw end;
      } catch (error) {
        if (!(error instanceof GRPCError)) throw error;
        if (this.#isClosed) return;
        if (!this.#isStarted) return onRefused(error);
        const { description: reason } = error;
        this.#options.logger.warn({ reason, revision: this.#seen }, 'the watch of etcd is opened again');
        await this.#wait(backoff);
        backoff = Math.min(Math.max(firstBackoff, backoff * 2), maxBackoff);
      }
    }
  }

  /**
   * Resolves at the end of the stream.
   *
   * @param from after a pause, the last seen revision: etcd only reports compaction to a watch that begins before the
   *   compacted revision, at which deletions are already gone
   */
  async #watch(from: number, onCreated: () => void): Promise<StreamEnd> {
    const { client, key, rangeEnd } = this.#options;
    const connection = await client.connect();
    this.#canRequestProgress = supportsRequestProgress((await client.status(connection)).version);
    return new Promise((resolve) => {
      let end: StreamEnd | undefined;
      const call = client.openWatch(connection, {
        onMessage: (message) => {
          end ??= this.#read(message, onCreated);
          if (end !== undefined) call.cancel(new GRPCError('Canceled', 'the watch was canceled'));
        },
        onEnd: (error) => {
          this.#call = undefined;
          this.#heartbeat?.stop();
          resolve(end ?? error ?? new GRPCError('Unavailable', 'the watch has ended'));
        },
      });
      this.#call = call;
      this.#watchIds = [];
      this.#connection = connection;
      this.#heardAt = this.#clock.now();
      this.#heartbeat = new Heartbeat({
        clock: this.#clock,
        ask: () => call.send(encodeProgressRequest()),
        onSilent: () => {
          // there is no progress before a watch's first revision, so it must begin at an existing one
          if (!this.#isStarted || this.#seen >= from) return this.#giveUp();
          end = 'too early';
          call.cancel(new GRPCError('Canceled', 'the watch was canceled'));
        },
      });
      const keys = this.#canRequestProgress ? { key, rangeEnd } : { key: firstKey, rangeEnd: endOfKeys };
      const common = { startRevision: from, progressNotify: true };
      call.send(encodeWatchCreate({ ...keys, ...common, prevKv: true }));
      call.send(encodeWatchCreate({ key: compactRevKey, ...common }));
    });
  }

  /** Returns the reason for the end of the watch, if it has ended. */
  #read(message: Uint8Array, onCreated: () => void): StreamEnd | undefined {
    let response: ReturnType<typeof decodeWatch>;
    try {
      response = decodeWatch(message);
    } catch {
      return new GRPCError('Internal', 'grpc: failed to unmarshal the received message');
    }
    const { watchId, created, canceled, compactRevision, cancelReason, revision, events } = response;
    if (created) this.#watchIds.push(watchId);
    const [mainWatch, compactionWatch] = this.#watchIds;
    // compaction events do not show that the main watch is alive, and older members respond even if it is lost
    if (watchId !== compactionWatch) this.#heartbeat?.heard();
    if (watchId === mainWatch || (watchId !== compactionWatch && this.#canRequestProgress)) {
      this.#heardAt = this.#clock.now();
    }
    if (canceled) {
      return compactRevision > 0 ? 'compacted' : new GRPCError('Canceled', cancelReason || 'the watch was canceled');
    }
    if (watchId === compactionWatch) {
      for (const { kv } of events) this.#options.onCompaction(Buffer.from(kv.value).toString());
    } else if (created) onCreated();
    else if (events.length > 0) this.#deliver(events);
    else if (!this.#canRequestProgress) this.need(revision);
    else if (revision > this.#seen) {
      this.#seen = revision;
      this.#queue.add(revision, []);
    }
    return undefined;
  }

  #deliver(events: readonly EtcdEvent[]): void {
    const [first] = events;
    const unseen = first && this.#isUnseen(first) ? events : events.filter((event) => this.#isUnseen(event));
    const last = unseen.at(-1);
    if (last === undefined) return;
    this.#seen = last.kv.modRevision;
    this.#queue.add(this.#seen, unseen);
  }

  #isUnseen({ kv }: EtcdEvent): boolean {
    return kv.modRevision > this.#seen;
  }

  /** Continues at the newest revision. */
  async #skip(): Promise<void> {
    const { client, key, logger } = this.#options;
    const { revision } = await client.range({ key, keysOnly: true });
    logger.warn({ revision: this.#seen, newest: revision }, 'changes in etcd were compacted before they could be read');
    this.#seen = revision;
    this.#queue.flush();
    this.#options.onLost(revision);
  }

  #schedule(delay: number): void {
    this.#cancelTimer = this.#clock.after(delay, () => {
      this.#cancelTimer = undefined;
      this.#check();
    });
  }

  #check(): void {
    if (this.#isClosed) return;
    if (this.#seen >= this.#target) {
      if (this.#needed <= this.#seen) return;
      this.#target = this.#needed;
      this.#heardAt = this.#clock.now();
      this.#schedule(eventDelay);
      return;
    }
    if (this.#clock.now() - this.#heardAt > stallTimeout) this.#giveUp();
    else if (this.#canRequestProgress) this.#call?.send(encodeProgressRequest());
    this.#schedule(progressPeriod);
  }

  /** Ends the stream, so that the watch is reopened, preferably at another member. */
  #giveUp(): void {
    this.#connection?.suspect();
    this.#call?.cancel(new GRPCError('Unavailable', 'the watch has stalled'));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#cancelBackoff = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
