import type { WatchEventListener } from '../../http/request-state.ts';
import type { FrameKind, FrameSink, ServedWatch } from '../../http/served-watch.ts';
import type { StreamWriter } from '../../http/stream-writer.ts';
import type { Clock } from '../../machinery/clock.ts';
import { internalError, isStatusError, resourceExpired, type StatusError } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { VersionDecoder } from '../../machinery/resource.ts';
import type { Collection, CollectionSnapshot, ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';
import type { SelectionPredicate } from '../list/selection-predicate.ts';
import { EventBuffer } from './event-buffer.ts';
import { EventDecoder } from './event-decoder.ts';
import { frameOf } from './frames.ts';
import { compactedToExpired, type WatchStart } from './start.ts';

/** Milliseconds between two bookmarks of a watch. (cacher bookmarkFrequency) */
const bookmarkFrequency = 60_000;
/**
 * The maximum bytes of unread frames in the network. Further events wait in the buffer as references, because each
 * queued frame costs a hundred bytes more than its content.
 */
const maxPendingBytes = 128 * 1024;
/** Milliseconds in which a terminated client may receive the frames that were sent. */
const terminationGrace = 30_000;

/** The number of objects that are scanned between two looks at the clock. */
const scannedBetweenYields = 256;

/**
 * Subscribing: the history after the start fills the buffer, however long it is.
 * CatchingUp: initial or buffered events are sent at the speed of the client; changes wait in the buffer.
 * Streaming: changes go straight to the stream.
 * Terminated: the client was too slow; it may still receive the bytes that were sent.
 *
 *     Subscribing -> CatchingUp <-> Streaming
 *                        |
 *                        v
 *                    Terminated
 *
 * A stream may close in each state, which ends the watch.
 */
type State = 'Subscribing' | 'CatchingUp' | 'Streaming' | 'Terminated';

export interface WatchServerOptions {
  readonly collection: Collection;
  readonly encoding: ResponseEncoding;
  readonly stream: StreamWriter;
  readonly predicate: SelectionPredicate;
  readonly clock: Clock;
  readonly bookmarks: boolean;
  /** Absent for all namespaces. */
  readonly namespace?: string;
  /** Decodes the objects of events. Default: the encoding does. */
  readonly decoder?: VersionDecoder;
  /** The object of bookmarks. See Bookmark. */
  readonly emptyObject: KubeObject;
  /** Called once the initial events have been sent. */
  readonly onInitialized?: (() => void) | undefined;
  /** Called with each event. */
  readonly onSent?: WatchEventListener | undefined;
  /** Observes the size of each event. */
  readonly sent?: { observe(bytes: number): void } | undefined;
}

/** Serves one watch: initial events, then every change, then a last bookmark. (apiserver handlers.WatchServer) */
export class WatchServer implements ServedWatch {
  readonly #options: WatchServerOptions;
  readonly #buffer = new EventBuffer();
  #state: State = 'Subscribing';
  #sent = 0;
  #lastRevision = 0;
  /** A sink between the watch and its stream. */
  #sink: FrameSink | undefined;
  #finish = (): void => {};
  readonly #decoder: EventDecoder | undefined;
  readonly #finished: Promise<void>;

  constructor(options: WatchServerOptions) {
    this.#options = options;
    const { decoder, predicate } = options;
    this.#decoder =
      decoder === undefined
        ? undefined
        : new EventDecoder({
            decoder,
            matches: predicate.matches,
            deliver: (event) => this.#onEvent(event),
            fail: (error) => this.#failDecoding(error),
          });
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get #isTerminated(): boolean {
    return this.#state === 'Terminated';
  }

  get #isOver(): boolean {
    return this.#isTerminated || this.#options.stream.closed;
  }

  get isBehind(): boolean {
    const { stream } = this.#options;
    if (stream.closed) return false;
    if (this.#state !== 'Streaming' || this.#decoder?.isPending === true) return true;
    return stream.pending > 0 || this.#sink?.isWithholding === true;
  }

  get deliveredRevision(): number | undefined {
    return this.#state === 'Streaming' ? this.#lastRevision : undefined;
  }

  intercept(wrap: (sink: FrameSink) => FrameSink): void {
    const { stream } = this.#options;
    this.#sink = wrap(this.#sink ?? { write: (frame) => stream.write(frame), end: () => stream.end(), isWithholding: false });
  }

  encodeBookmark(revision: number): Uint8Array | undefined {
    const { bookmarks, encoding, emptyObject } = this.#options;
    if (!bookmarks || encoding.isRefused) return undefined;
    return encoding.encodeBookmark({ revision, endsInitialEvents: false, emptyObject }, this.#sent++ === 0);
  }

  /** Serves the watch. Resolves when it has ended, for any reason. */
  async serve(start: WatchStart, timeoutMs: number): Promise<void> {
    const { stream, clock, bookmarks } = this.#options;
    this.#lastRevision = start.after;
    const unsubscribe = this.#subscribe(start.after);
    if (unsubscribe === undefined) return;
    this.#buffer.markHistory();
    this.#state = 'CatchingUp';
    const cancelTimeout = clock.after(timeoutMs, () => this.end());
    const cancelBookmarks = bookmarks ? this.#sendBookmarksPeriodically() : undefined;
    stream.onClose(() => this.#finish());
    try {
      if (start.initialEvents) await this.#sendInitialEvents(start.initialEvents);
      if (this.#isTerminated) return;
      if (start.bookmarkInitialEvents) this.#sendBookmark(start.after, true);
      this.#options.onInitialized?.();
      await this.#sendBuffered();
      await this.#finished;
    } finally {
      unsubscribe();
      cancelTimeout();
      cancelBookmarks?.();
    }
  }

  /** Ends the watch with a last bookmark, so that the client knows how far it has come. */
  end(): void {
    if (this.#isOver) return;
    if (this.#options.bookmarks && this.#state === 'Streaming') this.#sendProgress();
    this.#close();
  }

  #close(): void {
    this.#endStream();
    this.#finish();
  }

  #endStream(): void {
    if (this.#sink === undefined) this.#options.stream.end();
    else this.#sink.end();
  }

  /** Ends the watch with an ERROR event. */
  fail({ status }: StatusError): void {
    this.#send(this.#options.encoding.encodeError(status), 'Error');
    this.#close();
  }

  /** Returns undefined if the history has been compacted since the watch was accepted. */
  #subscribe(after: number): (() => void) | undefined {
    const { collection, predicate, namespace } = this.#options;
    const decoder = this.#decoder;
    try {
      return collection.watch({
        after,
        ...defined({ namespace, name: predicate.name }),
        ...(predicate.matches === undefined || decoder !== undefined ? {} : { matches: predicate.matches }),
        onEvent: (event) => (decoder === undefined ? this.#onEvent(event) : decoder.add(event)),
        onLost: (isExpired) => (isExpired ? this.fail(tooOld()) : this.#close()),
      });
    } catch (error) {
      const expired = compactedToExpired(error, after);
      if (!isStatusError(expired)) throw expired;
      this.fail(expired);
      return undefined;
    }
  }

  async #sendInitialEvents(snapshot: CollectionSnapshot): Promise<void> {
    const { stream, encoding, predicate, decoder } = this.#options;
    const candidates = this.#candidates(snapshot);
    const objects = decoder === undefined ? candidates : await this.#decode([...candidates], decoder);
    const slice = new TimeSlice();
    let scanned = 0;
    for (const stored of objects) {
      scanned += 1;
      if (scanned % scannedBetweenYields === 0 && slice.isOver) await slice.next();
      if (predicate.name !== undefined && stored.name !== predicate.name) continue;
      if (predicate.matches && !predicate.matches(stored)) continue;
      if (this.#isRefused()) return;
      this.#options.onSent?.('ADDED', stored.revision, stored);
      if (!this.#send(encoding.encodeEvent('ADDED', stored, this.#sent++ === 0), 'Event')) await stream.drained();
      if (this.#isOver) return;
    }
  }

  /** The objects that can match, by namespace and name. */
  #candidates(snapshot: CollectionSnapshot): Iterable<StoredObject> {
    const { collection, predicate, namespace } = this.#options;
    const place = collection.resource.namespaced ? namespace : '';
    if (predicate.name === undefined || place === undefined) {
      return snapshot.scan(namespace === undefined ? {} : { namespace });
    }
    const stored = snapshot.get(place, predicate.name);
    return stored === undefined ? [] : [stored];
  }

  async #decode(objects: readonly StoredObject[], decoder: VersionDecoder): Promise<readonly StoredObject[]> {
    try {
      return await decoder.views(objects);
    } catch (error) {
      this.#failDecoding(error);
      return [];
    }
  }

  /** Ends the watch with the error that the decoder threw. (apiserver endpoints/handlers/watch.go) */
  #failDecoding(error: unknown): void {
    if (this.#isOver) return;
    this.fail(isStatusError(error) ? error : internalError(`unable to decode watch event: ${(error as Error)?.message}`));
  }

  #onEvent(event: ObjectEvent): void {
    if (this.#isOver) return;
    if (this.#state === 'Streaming') {
      this.#write(event);
      if (this.#options.stream.pending > maxPendingBytes) void this.#bufferUntilDrained();
      return;
    }
    this.#buffer.push(event);
    if (this.#state === 'CatchingUp' && this.#buffer.isOverfull) this.#terminate();
  }

  /** Buffers events while the client is slower than the changes. */
  async #bufferUntilDrained(): Promise<void> {
    this.#state = 'CatchingUp';
    await this.#options.stream.drained();
    await this.#sendBuffered();
  }

  /** Sends the buffered events at the speed of the client, then switches to streaming. */
  async #sendBuffered(): Promise<void> {
    const { stream } = this.#options;
    for (let event = this.#buffer.shift(); event !== undefined; event = this.#buffer.shift()) {
      if (this.#isOver) return;
      if (!this.#write(event)) await stream.drained();
    }
    if (this.#state === 'CatchingUp') this.#state = 'Streaming';
  }

  /** Ends the watch before its first event, if objects have no encoding. (apiserver handlers/watch.go HandleHTTP) */
  #isRefused(): boolean {
    const { isRefused = false } = this.#options.encoding;
    if (isRefused) this.#close();
    return isRefused;
  }

  #write(event: ObjectEvent): boolean {
    if (this.#isRefused()) return true;
    this.#lastRevision = event.revision;
    this.#options.onSent?.(event.type, event.revision, event.object);
    const frame = frameOf(this.#options.encoding, event.type, event.object, this.#sent++ === 0);
    return this.#send(frame, 'Event', event.revision);
  }

  #send(frame: Uint8Array, kind: FrameKind, revision?: number): boolean {
    const { stream, sent } = this.#options;
    sent?.observe(frame.length);
    return this.#sink === undefined ? stream.write(frame) : this.#sink.write(frame, kind, revision);
  }

  /** Ends the watch of a client that is too slow. The client may still receive the whole events that were sent. */
  #terminate(): void {
    const { stream, clock } = this.#options;
    this.#state = 'Terminated';
    this.#buffer.clear();
    this.#finish();
    const cancel = clock.after(terminationGrace, () => stream.abort());
    void stream.drained().then(() => {
      cancel();
      this.#endStream();
    });
  }

  #sendBookmarksPeriodically(): () => void {
    const { clock } = this.#options;
    let cancel = (): void => {};
    const schedule = (): void => {
      cancel = clock.after(bookmarkFrequency, () => {
        if (this.#state === 'Streaming') this.#sendProgress();
        schedule();
      });
    };
    schedule();
    return () => cancel();
  }

  /**
   * Sends a bookmark with the revision of the last event, unless the client is ahead of it or events are being decoded.
   */
  #sendProgress(): void {
    const revision = this.#options.collection.progress();
    if (this.#decoder?.isPending) return;
    if (revision >= this.#lastRevision) this.#sendBookmark(revision);
  }

  #sendBookmark(revision: number, endsInitialEvents = false): void {
    if (this.#isRefused()) return;
    const { encoding, emptyObject, onSent } = this.#options;
    onSent?.('BOOKMARK', revision);
    this.#send(encoding.encodeBookmark({ revision, endsInitialEvents, emptyObject }, this.#sent++ === 0), 'Bookmark');
  }
}

/** (apiserver storage/etcd3/errors.go interpretWatchError) */
const tooOld = (): StatusError => resourceExpired('The resourceVersion for the provided watch is too old.');
