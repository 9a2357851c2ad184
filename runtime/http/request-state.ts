import type { AuditContext } from '../machinery/audit-context.ts';
import type { GroupVersionKind, RecognizesKind } from '../machinery/gvk.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Query } from './query-string.ts';
import type { RequestInfo } from './request-info.ts';
import type { ServedWatch } from './served-watch.ts';

/** Makes the error for an object that strict decoding refuses. @param errors as `unknown field "spec.foo"` */
export type StrictDecodingError = (kind: GroupVersionKind, errors: readonly string[]) => Error;

/**
 * A filter's actions after a request. Each filter has one for each request, so it is one object instead of closures,
 * and a request's listeners form a linked list.
 */
export interface CompletionListener {
  completed(): void;
  /** The listener that was added before this one. Set by `onCompletion`. */
  before: CompletionListener | undefined;
}

/** Shared by all requests: a new error costs more than parsing a URL. */
const requestCompleted = new Error('the request is over');
const noWarnings: readonly string[] = [];
/** Limits of the collected warnings, and of one warning in UTF-16 units. The headers hold 4 KiB of warnings. */
const maxWarnings = 8_192;
const maxWarningLength = 8_194;

/** A whole response that was not sent yet. */
export interface HeldResponse {
  readonly code: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** The object that a write stored or deleted. */
export interface WrittenObject {
  readonly name: string;
  readonly revision: number;
}

/** Receives the events that a watch sends. A bookmark has no object. */
export type WatchEventListener = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK',
  revision: number,
  object?: { readonly namespace: string; readonly name: string },
) => void;

/**
 * The state of one request for its filters, in `ctx.state`. Members that few requests need are created on demand: an
 * AbortController alone costs more than the rest.
 */
export class RequestState {
  readonly requestInfo: RequestInfo;
  query: Query;
  /** The client's Audit-ID header, or a new UUID. */
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /**
   * Headers for every response to the request, as alternating names and values. Headers set on the response override
   * them.
   */
  readonly responseHeaders: string[] = [];
  /** Set by the authentication filter, replaced by the impersonation filter. */
  user?: UserInfo;
  /** The deadline of the request, in milliseconds since the epoch. Absent for long-running requests. */
  deadline?: number;
  /** Called by a watch after its initial events. Set by priority and fairness. */
  onWatchInitialized?: () => void;
  /** For errors about bodies of other kinds. Set by the dispatcher of resource requests. */
  recognizesKind?: RecognizesKind;
  /** Makes the error for a body that strict decoding refuses. Default: upstream's error, a 400. */
  strictDecodingError?: StrictDecodingError;
  /** True if the deadline passed and the client received a timeout. Set by the timeout filter. */
  isTimedOut = false;
  /** Whether a large response may be compressed with gzip. Set by the compression filter. */
  acceptsGzip = false;
  /** The whole body, decompressed, after the first `readBody`. */
  body?: Buffer;
  /** True after authorization. Set by the authorization filter. */
  isAuthorized = false;
  /** Milliseconds in a queue of priority and fairness. */
  millisecondsQueued = 0;
  /** The size of the sent part of the response's body, after compression. */
  bytesSent = 0;
  /** The audit record. Set by the audit filter, for requests that the audit policy logs. */
  audit?: AuditContext;
  /** Set after the request has written one object. */
  written?: WrittenObject;
  /** Set after the request has become a watch. */
  watch?: ServedWatch;
  /** Called when the request becomes a watch, before anything is sent. Set by faults. */
  onWatch?: (watch: ServedWatch) => void;
  /** The revision that reads of any version see. Set by faults. Default: the newest known revision. */
  readsAt?: number;
  /** The kinds of the faults that hit the request. Set by faults. */
  faults?: readonly string[];
  /** Receives the events if the request is a watch. Set before the request runs. */
  onWatchEvent?: WatchEventListener;
  /** The response that the audit filter sends later. */
  heldResponse?: HeldResponse;
  /**
   * The time at which a whole response is sent: the end of the turn, or by the audit filter. Default: the end of the
   * turn for HTTP/1.1, otherwise at once.
   */
  sendsResponse?: 'atEndOfTurn' | 'whenAudited';
  /** Whether the request and the response may be in CBOR. Set by the CBOR filter. */
  cborEnabled = false;
  /** The request starts over on a worker thread if it is too much work for the event loop. Set where writes run. */
  mayStartOver = false;
  #warnings: string[] | undefined;
  #abortReason: Error | undefined;
  #controller: AbortController | undefined;
  #completionListeners: CompletionListener | undefined;
  #abortCallbacks: AbortCallback | undefined;

  constructor(requestInfo: RequestInfo, query: Query, auditId: string, receivedAt: number) {
    this.requestInfo = requestInfo;
    this.query = query;
    this.auditId = auditId;
    this.receivedAt = receivedAt;
  }

  /** Warnings for the client's user, sent as Warning headers. Each text is sent once. */
  get warnings(): readonly string[] {
    return this.#warnings ?? noWarnings;
  }

  /** Adds warnings. Drops those beyond the room of the headers. (apiserver warning.AddWarning) */
  addWarnings(...texts: readonly string[]): void {
    this.#warnings ??= [];
    for (const text of texts) {
      if (this.#warnings.length === maxWarnings) return;
      this.#warnings.push(text.length > maxWarningLength ? text.slice(0, maxWarningLength) : text);
    }
  }

  /** Aborted when the client disconnects, the deadline passes, the server stops, or the request is complete. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Calls back once when the request is aborted, or at once if it already is. Costs far less than `signal`. */
  onAbort(callback: () => void): void {
    if (this.#abortReason) {
      callback();
      return;
    }
    this.#abortCallbacks = { call: callback, before: this.#abortCallbacks };
  }

  /** True after the request is complete or aborted, or the client has disconnected. */
  get isAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Adds a listener for the completion of the request on its connection. The newest listener is called first. */
  onCompletion(listener: CompletionListener): void {
    listener.before = this.#completionListeners;
    this.#completionListeners = listener;
  }

  /** Calls the listeners, and aborts work that is still running. */
  complete(): void {
    let listener = this.#completionListeners;
    this.#completionListeners = undefined;
    for (; listener !== undefined; listener = listener.before) listener.completed();
    this.abort(requestCompleted);
  }

  /** Aborts the request; later calls do nothing. */
  abort(reason: Error): void {
    if (this.#abortReason) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    let callback = this.#abortCallbacks;
    this.#abortCallbacks = undefined;
    for (; callback !== undefined; callback = callback.before) callback.call();
  }
}

/**
 * Returns the user of a request, for code behind the authentication filter.
 *
 * @throws Error for a request without a user, which no filter lets pass
 */
export function requireUser({ user }: Pick<RequestState, 'user'>): UserInfo {
  if (user === undefined) throw new Error('the request is not authenticated');
  return user;
}

/** A linked list, newest first. An array would begin with room for seventeen. */
interface AbortCallback {
  readonly call: () => void;
  readonly before: AbortCallback | undefined;
}
