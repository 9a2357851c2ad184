import type { StreamWriter } from '../../http/stream.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Collection, ObjectEvent, Snapshot } from '../../storage/object-store/contract.ts';
import type { Form } from '../forms/form.ts';
import type { Selection } from '../reading/selection.ts';
import { frameOf } from './frames.ts';
import type { WatchStart } from './start.ts';

/** How often a watch that asks for bookmarks gets one. (cacher bookmarkFrequency) */
const bookmarkEveryMs = 60_000;
/** A client that lets this much pile up is too slow, and is let go; it can come back where it was. */
const bufferLimit = 8 * 1024 * 1024;
/** A client that is still being sent the state when this many changes wait behind it will not catch up. */
const waitingLimit = 10_000;
/** The annotation of the bookmark behind the state. (metav1.InitialEventsAnnotationKey) */
const endOfStateAnnotation = 'k8s.io/initial-events-end';

export interface WatchParts {
  readonly collection: Collection;
  readonly form: Form;
  readonly stream: StreamWriter;
  readonly selection: Selection;
  readonly clock: Clock;
  readonly bookmarks: boolean;
  /** Absent for all namespaces. */
  readonly namespace?: string;
}

/** One client's watch: the state it asked for, then every change, then a last bookmark. */
export class WatchSession {
  readonly #parts: WatchParts;
  readonly #waiting: ObjectEvent[] = [];
  #streaming = false;
  #sent = 0;
  #lastRevision = 0;
  #finish = (): void => {};
  readonly #finished: Promise<void>;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when the watch is over, however it ended. */
  async run(start: WatchStart, durationMs: number): Promise<void> {
    const { collection, stream, clock, selection, namespace, bookmarks } = this.#parts;
    this.#lastRevision = start.after;
    const stop = collection.watch({
      after: start.after,
      ...(namespace === undefined ? {} : { namespace }),
      ...(selection.name === undefined ? {} : { name: selection.name }),
      ...(selection.matches === undefined ? {} : { matches: selection.matches }),
      onEvent: (event) => this.#onEvent(event),
    });
    const cancelTimeout = clock.after(durationMs, () => this.end());
    const cancelBookmarks = bookmarks ? this.#repeatBookmarks() : undefined;
    stream.onClose(() => this.#finish());
    try {
      if (start.state) await this.#sendState(start.state);
      if (start.markEndOfState) this.#sendBookmark({ [endOfStateAnnotation]: 'true' });
      this.#streaming = true;
      for (const event of this.#waiting.splice(0)) this.#send(event);
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
    if (stream.closed) return;
    if (bookmarks && this.#streaming) this.#sendBookmark();
    stream.end();
    this.#finish();
  }

  async #sendState(state: Snapshot): Promise<void> {
    const { stream, selection, namespace } = this.#parts;
    for (const stored of state.scan(namespace === undefined ? {} : { namespace })) {
      if (selection.name !== undefined && stored.name !== selection.name) continue;
      if (selection.matches && !selection.matches(stored)) continue;
      if (!stream.write(this.#parts.form.frame('ADDED', stored, this.#sent++ === 0))) await stream.drained();
      if (stream.closed) return;
    }
  }

  #onEvent(event: ObjectEvent): void {
    if (this.#streaming) this.#send(event);
    else if (this.#waiting.push(event) > waitingLimit) this.#drop();
  }

  #send(event: ObjectEvent): void {
    const { stream, form } = this.#parts;
    if (stream.closed) return;
    this.#lastRevision = event.revision;
    const first = this.#sent++ === 0;
    stream.write(frameOf(form, event.type, event.object, first));
    if (stream.pending > bufferLimit) this.#drop();
  }

  #drop(): void {
    this.#parts.stream.end();
    this.#waiting.length = 0;
    this.#finish();
  }

  #repeatBookmarks(): () => void {
    const { clock } = this.#parts;
    let cancel = (): void => {};
    const again = (): void => {
      cancel = clock.after(bookmarkEveryMs, () => {
        if (this.#streaming) this.#sendBookmark();
        again();
      });
    };
    again();
    return () => cancel();
  }

  #sendBookmark(annotations?: Record<string, string>): void {
    const { stream, form, collection } = this.#parts;
    const revision = Math.max(this.#lastRevision, collection.latest().revision);
    stream.write(form.bookmark(revision, annotations));
  }
}
