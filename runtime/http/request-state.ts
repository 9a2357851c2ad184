import type { GroupVersionKind } from '../machinery/gvk.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Query } from './query-string.ts';
import type { RequestInfo } from './request-info.ts';

/** Whether there is a kind that the server has all its life. */
export type RecognizesKind = (kind: GroupVersionKind) => boolean;

/** What a filter does when a request is over. A filter of every request makes one object of it, and no functions. */
export interface CompletionListener {
  completed(): void;
  /** The one that came before. */
  before: CompletionListener | undefined;
}

/** Made once: an error of its own for each request costs more than parsing its URL. */
const requestOver = new Error('the request is over');
const noWarnings: readonly string[] = [];
/** Headers have room for 4 KiB of warnings: of one character each, or of one that is longer and then cut. */
const mostWarnings = 8_192;
const longestWarning = 8_194;

/**
 * What the filters know of one request, in `ctx.state`. What most requests never ask for is made when it is asked for: an
 * AbortController costs more than the rest of the state together.
 */
export class RequestState {
  readonly requestInfo: RequestInfo;
  readonly query: Query;
  /** The client's Audit-ID header, or a new UUID. */
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Headers of the answer, whatever it will be: names and values in turns. What is set on the response itself wins. */
  readonly head: string[] = [];
  /** Set by the authenticate filter, replaced by the impersonate filter. */
  user?: UserInfo;
  /** When the request times out, in milliseconds since the epoch; absent for long-running requests. */
  deadline?: number;
  /** Called by a watch once it has sent what there was. Set by the priority-fairness filter. */
  onWatchInitialized?: () => void;
  /** For what is said of bodies of other kinds. Set where resources are dispatched. */
  recognizesKind?: RecognizesKind;
  /** The deadline has passed and the client was told. Set by the timeout filter. */
  isTimedOut = false;
  /** The client takes gzip, and the answer may be compressed when it is large. Set by the compress filter. */
  gzip = false;
  /** The whole body, once somebody has read it; unpacked. */
  body?: Buffer;
  /** CBOR may be read and written. Set by the offer-cbor filter. */
  cbor = false;
  #warnings: string[] | undefined;
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #onCompletion: CompletionListener | undefined;
  #onAbort: Callback | undefined;

  constructor(requestInfo: RequestInfo, query: Query, auditId: string, receivedAt: number) {
    this.requestInfo = requestInfo;
    this.query = query;
    this.auditId = auditId;
    this.receivedAt = receivedAt;
  }

  /** Texts for the client's user, sent as Warning headers; texts seen before are sent once. */
  get warnings(): readonly string[] {
    return this.#warnings ?? noWarnings;
  }

  /** What headers can never have room for is let go. */
  addWarnings(...texts: readonly string[]): void {
    this.#warnings ??= [];
    for (const text of texts) {
      if (this.#warnings.length === mostWarnings) return;
      this.#warnings.push(text.length > longestWarning ? text.slice(0, longestWarning) : text);
    }
  }

  /** Aborted when the client goes away, the deadline passes, or the server stops. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back once with the abort, at once if it was; for those who do not need a signal, which costs far more. */
  onAbort(callback: () => void): void {
    if (this.#reason) {
      callback();
      return;
    }
    this.#onAbort = { call: callback, before: this.#onAbort };
  }

  /** Tells when the connection is done with the request, however it ended; the last to come is told first. */
  onCompletion(ending: CompletionListener): void {
    ending.before = this.#onCompletion;
    this.#onCompletion = ending;
  }

  /** Says that it is. */
  complete(): void {
    let ending = this.#onCompletion;
    this.#onCompletion = undefined;
    for (; ending !== undefined; ending = ending.before) ending.completed();
    this.abort(requestOver);
  }

  /** Aborts `signal`; later calls do nothing. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    let last = this.#onAbort;
    this.#onAbort = undefined;
    for (; last !== undefined; last = last.before) last.call();
  }
}

/** The last one that came, and those before it: an array would begin with room for seventeen. */
interface Callback {
  readonly call: () => void;
  readonly before: Callback | undefined;
}
