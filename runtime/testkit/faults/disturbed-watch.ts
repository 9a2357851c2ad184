import type { FrameKind, FrameSink, ServedWatch } from '../../http/served-watch.ts';
import { resourceExpired } from '../../machinery/errors/status.ts';
import type { WatchFault } from './fault-plan.ts';

/** (etcd3 interpretWatchError) */
const tooOld = 'The resourceVersion for the provided watch is too old.';

/** A watch that stalls, closes or expires after a number of events. */
export class DisturbedWatch implements FrameSink {
  readonly #watch: ServedWatch;
  readonly #fault: WatchFault;
  #sink!: FrameSink;
  #left: number;
  /** The client has received everything up to this revision, as far as is known. */
  #deliveredRevision: number | undefined;
  /** Pending writes during a stall; undefined without a stall. */
  #withheld: (() => void)[] | undefined;
  /** The last bookmark is sent. */
  #hasTold = false;
  #isOver = false;

  constructor(watch: ServedWatch, fault: WatchFault) {
    this.#watch = watch;
    this.#fault = fault;
    this.#left = fault.afterEvents ?? 0;
    this.#deliveredRevision = watch.deliveredRevision;
    watch.intercept((sink) => {
      this.#sink = sink;
      return this;
    });
    if (this.#left === 0) this.#act();
  }

  write(frame: Uint8Array, kind: FrameKind, revision?: number): boolean {
    if (kind === 'Bookmark' && !this.#isOver) return this.#bookmark(frame);
    if (this.#withheld !== undefined) {
      this.#withheld.push(() => this.#sink.write(frame, kind, revision));
      return true;
    }
    const hasRoom = this.#sink.write(frame, kind, revision);
    this.#deliveredRevision = revision;
    if (kind === 'Event' && --this.#left === 0 && !this.#isOver) this.#act();
    return hasRoom;
  }

  end(): void {
    if (this.#withheld === undefined) this.#sink.end();
    else this.#withheld.push(() => this.#sink.end());
  }

  get isWithholding(): boolean {
    return (this.#withheld?.length ?? 0) > 0 || this.#sink.isWithholding;
  }

  /** Ends the fault: sends pending writes, and later ones at once. */
  resume(): void {
    this.#isOver = true;
    const withheld = this.#withheld ?? [];
    this.#withheld = undefined;
    for (const send of withheld) send();
  }

  #act(): void {
    const { action, bookmarks } = this.#fault;
    if (action === 'Stall') {
      this.#withheld = [];
      return;
    }
    if (bookmarks === 'Always') this.#sendBookmark();
    this.#hasTold = bookmarks === 'Always';
    if (action === 'Close') this.#watch.end();
    else this.#watch.fail(resourceExpired(tooOld));
  }

  #bookmark(frame: Uint8Array): boolean {
    const { bookmarks } = this.#fault;
    if (this.#withheld === undefined) {
      return bookmarks === 'Never' || this.#hasTold || this.#sink.write(frame, 'Bookmark');
    }
    if (bookmarks === 'Always') this.#sendBookmark();
    return true;
  }

  /** Sends a bookmark for the events that the client has. */
  #sendBookmark(): void {
    const bookmark = this.#deliveredRevision === undefined ? undefined : this.#watch.encodeBookmark(this.#deliveredRevision);
    if (bookmark !== undefined) this.#sink.write(bookmark, 'Bookmark');
  }
}
