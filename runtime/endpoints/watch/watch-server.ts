import type { StreamWriter } from '../../http/stream-writer.ts';
import type { Clock } from '../../machinery/clock.ts';
import { internalError, isStatusError, type StatusError } from '../../machinery/errors/status.ts';
import type { VersionDecoder } from '../../machinery/resource.ts';
import type { Collection, ObjectEvent, Snapshot, StoredObject } from '../../storage/object-store/contract.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';
import type { SelectionPredicate } from '../list/selection-predicate.ts';
import { EventBuffer } from './event-buffer.ts';
import { EventDecoder } from './event-decoder.ts';
import { frameOf } from './frames.ts';
import { expiredWatch, type WatchStart } from './start.ts';

/** How often a watch that asks for bookmarks gets one. (cacher bookmarkFrequency) */
const bookmarkEveryMs = 60_000;
/**
 * Bytes of frames that are handed to the network before the client has taken those before. What comes then waits as
 * changes: each frame that is handed over costs some hundred bytes besides.
 */
const pendingLimit = 128 * 1024;
/** How long a client that is let go gets to take what was sent before. */
const dropGraceMs = 30_000;
/** The annotation of the bookmark behind the state. (metav1.InitialEventsAnnotationKey) */
const endOfStateAnnotation = 'k8s.io/initial-events-end';

export interface WatchServerOptions {
  readonly collection: Collection;
  readonly encoding: ResponseEncoding;
  readonly stream: StreamWriter;
  readonly selection: SelectionPredicate;
  readonly clock: Clock;
  readonly bookmarks: boolean;
  /** Absent for all namespaces. */
  readonly namespace?: string;
  /** Of custom resources: events show views of their objects. */
  readonly decoder?: VersionDecoder;
  /** Called once the state that was asked for has been sent. */
  readonly onBegun?: () => void;
}

/** One client's watch: the state it asked for, then every change, then a last bookmark. */
export class WatchServer {
  readonly #parts: WatchServerOptions;
  readonly #waiting = new EventBuffer();
  #streaming = false;
  #dropped = false;
  /** History has come, and what waits is limited from now on. */
  #limited = false;
  #sent = 0;
  #lastRevision = 0;
  #finish = (): void => {};
  /** Of custom resources. */
  readonly #views: EventDecoder | undefined;
  readonly #finished: Promise<void>;

  constructor(parts: WatchServerOptions) {
    this.#parts = parts;
    const { decoder, selection } = parts;
    this.#views =
      decoder === undefined
        ? undefined
        : new EventDecoder({
            decoder,
            matches: selection.matches,
            deliver: (event) => this.#onEvent(event),
            fail: (error) => this.#failWith(error),
          });
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when the watch is over, however it ended. */
  async run(start: WatchStart, durationMs: number): Promise<void> {
    const { stream, clock, bookmarks } = this.#parts;
    this.#lastRevision = start.after;
    const stop = this.#subscribe(start.after);
    if (stop === undefined) return;
    this.#waiting.markHistory();
    this.#limited = true;
    const cancelTimeout = clock.after(durationMs, () => this.end());
    const cancelBookmarks = bookmarks ? this.#repeatBookmarks() : undefined;
    stream.onClose(() => this.#finish());
    try {
      if (start.state) await this.#sendState(start.state);
      if (this.#dropped) return;
      if (start.markEndOfState) this.#sendBookmark(start.after, { [endOfStateAnnotation]: 'true' });
      this.#parts.onBegun?.();
      await this.#sendWaiting();
      await this.#finished;
    } finally {
      stop();
      cancelTimeout();
      cancelBookmarks?.();
    }
  }

  /** Ends the watch in order: the client learns how far it has come. */
  end(): void {
    const { stream, bookmarks } = this.#parts;
    if (stream.closed || this.#dropped) return;
    if (bookmarks && this.#streaming) this.#sendProgress();
    stream.end();
    this.#finish();
  }

  /** Ends the watch with an ERROR event. */
  fail({ status }: StatusError): void {
    const { stream, encoding } = this.#parts;
    stream.write(encoding.encodeError(status));
    stream.end();
    this.#finish();
  }

  /** Undefined where history was compacted since the watch was let in. */
  #subscribe(after: number): (() => void) | undefined {
    const { collection, selection, namespace } = this.#parts;
    const views = this.#views;
    try {
      return collection.watch({
        after,
        ...(namespace === undefined ? {} : { namespace }),
        ...(selection.name === undefined ? {} : { name: selection.name }),
        ...(selection.matches === undefined || views !== undefined ? {} : { matches: selection.matches }),
        onEvent: (event) => (views === undefined ? this.#onEvent(event) : views.add(event)),
      });
    } catch (error) {
      const expired = expiredWatch(error, after);
      if (!isStatusError(expired)) throw expired;
      this.fail(expired);
      return undefined;
    }
  }

  async #sendState(state: Snapshot): Promise<void> {
    const { stream, selection, namespace, collection, decoder } = this.#parts;
    const objects = candidates(state, collection.resource.namespaced, namespace, selection.name);
    const views = decoder === undefined ? objects : await this.#viewsOf([...objects], decoder);
    for (const stored of views) {
      if (selection.name !== undefined && stored.name !== selection.name) continue;
      if (selection.matches && !selection.matches(stored)) continue;
      if (!stream.write(this.#parts.encoding.encodeEvent('ADDED', stored, this.#sent++ === 0))) await stream.drained();
      if (stream.closed || this.#dropped) return;
    }
  }

  async #viewsOf(objects: readonly StoredObject[], decoder: VersionDecoder): Promise<readonly StoredObject[]> {
    try {
      return await decoder.views(objects);
    } catch (error) {
      this.#failWith(error);
      return [];
    }
  }

  /** Ends the watch with the error that the decoder threw. (apiserver endpoints/handlers/watch.go) */
  #failWith(error: unknown): void {
    if (this.#parts.stream.closed || this.#dropped) return;
    this.fail(
      isStatusError(error) ? error : internalError(`unable to decode watch event: ${(error as Error)?.message}`),
    );
  }

  #onEvent(event: ObjectEvent): void {
    if (this.#dropped || this.#parts.stream.closed) return;
    if (this.#streaming) {
      this.#write(event);
      if (this.#parts.stream.pending > pendingLimit) void this.#catchUp();
      return;
    }
    this.#waiting.push(event);
    if (this.#limited && this.#waiting.isOverfull) this.#drop();
  }

  /** The client is slower than the changes come. */
  async #catchUp(): Promise<void> {
    this.#streaming = false;
    await this.#parts.stream.drained();
    await this.#sendWaiting();
  }

  /** History, and what came while the client was busy with what was sent before, at its speed. */
  async #sendWaiting(): Promise<void> {
    const { stream } = this.#parts;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      if (stream.closed || this.#dropped) return;
      if (!this.#write(event)) await stream.drained();
    }
    this.#streaming = !this.#dropped;
  }

  #write(event: ObjectEvent): boolean {
    const { stream, encoding } = this.#parts;
    this.#lastRevision = event.revision;
    return stream.write(frameOf(encoding, event.type, event.object, this.#sent++ === 0));
  }

  /** Lets go of a client that is too slow: what it was sent it may still take, in whole events. */
  #drop(): void {
    if (this.#dropped) return;
    const { stream, clock } = this.#parts;
    this.#dropped = true;
    this.#waiting.clear();
    this.#finish();
    const cancel = clock.after(dropGraceMs, () => stream.abort());
    void stream.drained().then(() => {
      cancel();
      stream.end();
    });
  }

  #repeatBookmarks(): () => void {
    const { clock } = this.#parts;
    let cancel = (): void => {};
    const again = (): void => {
      cancel = clock.after(bookmarkEveryMs, () => {
        if (this.#streaming) this.#sendProgress();
        again();
      });
    };
    again();
    return () => cancel();
  }

  /** Says how far history is; nothing while it is not as far as the client. */
  #sendProgress(): void {
    const { revision } = this.#parts.collection.latest();
    if (this.#views?.isMaking) return;
    if (revision >= this.#lastRevision) this.#sendBookmark(revision);
  }

  #sendBookmark(revision: number, annotations?: Record<string, string>): void {
    const { stream, encoding } = this.#parts;
    stream.write(encoding.encodeBookmark(revision, this.#sent++ === 0, annotations));
  }
}

/** Objects that a watch can be about, by namespace and name. */
function candidates(
  state: Snapshot,
  namespaced: boolean,
  namespace: string | undefined,
  name: string | undefined,
): Iterable<StoredObject> {
  const place = namespaced ? namespace : '';
  if (name === undefined || place === undefined) return state.scan(namespace === undefined ? {} : { namespace });
  const one = state.get(place, name);
  return one === undefined ? [] : [one];
}
