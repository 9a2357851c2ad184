import type { AuditContext } from '../machinery/audit-context.ts';
import type { GroupVersionKind, RecognizesKind } from '../machinery/gvk.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Query } from './query-string.ts';
import type { RequestInfo } from './request-info.ts';
import type { ServedWatch } from './served-watch.ts';

/** Makes the refusal of an object of a kind. @param errors as `unknown field "spec.foo"` */
export type StrictDecodingError = (kind: GroupVersionKind, errors: readonly string[]) => Error;

/**
 * What a filter does when a request is complete. Every filter needs one for every request, so it is one object instead of
 * closures, and the listeners of a request form a linked list.
 */
export interface CompletionListener {
  completed(): void;
  /** The listener that was added before this one. Set by `onCompletion`. */
  before: CompletionListener | undefined;
}

/** Shared by all requests: creating an error costs more than parsing a URL. */
const requestCompleted = new Error('the request is over');
const noWarnings: readonly string[] = [];
/** The headers have room for 4 KiB of warnings: for this many of one character each, or for one that is longer and cut. */
const maxWarnings = 8_192;
const maxWarningLength = 8_194;

/** A whole response that is not sent yet. */
export interface HeldResponse {
  readonly code: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** What a write has stored; of a deletion, the object that is gone. */
export interface WrittenObject {
  readonly name: string;
  readonly revision: number;
}

/** Hears what a watch sends. A bookmark has no object. */
export type WatchEventListener = (
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK',
  revision: number,
  object?: { readonly namespace: string; readonly name: string },
) => void;

/**
 * What the filters know of one request, in `ctx.state`. Members that few requests need are created on demand: an
 * AbortController alone costs more than the rest.
 */
export class RequestState {
  readonly requestInfo: RequestInfo;
  query: Query;
  /** The client's Audit-ID header, or a new UUID. */
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Headers for every response to the request, names and values in turns. Headers set on the response override them. */
  readonly responseHeaders: string[] = [];
  /** Set by the authentication filter, replaced by the impersonation filter. */
  user?: UserInfo;
  /** When the request times out, in milliseconds since the epoch. Absent for long-running requests. */
  deadline?: number;
  /** A watch calls this once it has sent its initial events. Set by priority and fairness. */
  onWatchInitialized?: () => void;
  /** For the errors about bodies of other kinds. Set where requests for resources are dispatched. */
  recognizesKind?: RecognizesKind;
  /** The refusal of a body by strict decoding, in words of its own. Absent: upstream's, a 400. */
  strictDecodingError?: StrictDecodingError;
  /** The deadline has passed, and the client has been sent a timeout. Set by the timeout filter. */
  isTimedOut = false;
  /** A large response may be compressed with gzip. Set by the compression filter. */
  acceptsGzip = false;
  /** The whole body, decompressed, after the first `readBody`. */
  body?: Buffer;
  /** Set by the authorization filter once the request may run. */
  isAuthorized = false;
  /** How long priority and fairness let the request wait. */
  millisecondsQueued = 0;
  /** The size of what has been sent of the body of the response, compressed if it is. */
  bytesSent = 0;
  /** Records what is audited. Set by the audit filter, for requests that the audit policy logs. */
  audit?: AuditContext;
  /** Set once the request has written one object. */
  written?: WrittenObject;
  /** Set once the request has become a watch. */
  watch?: ServedWatch;
  /** Called when the request becomes a watch, before it is sent anything. Set by faults. */
  onWatch?: (watch: ServedWatch) => void;
  /** What reads of any version see is the state at this revision. Set by faults. Default: the newest that is known. */
  readsAt?: number;
  /** Set before the request runs, by who wants to know what it is sent if it is a watch. */
  onWatchEvent?: WatchEventListener;
  /** What was to be sent, if the audit filter sends it later. */
  heldResponse?: HeldResponse;
  /** When a whole response is sent: at once, at the end of the turn, or by the audit filter. Default: HTTP/1.1 at the end of the turn. */
  sendsResponse?: 'atEndOfTurn' | 'whenAudited';
  /** The request and the response may be in CBOR. Set by the CBOR filter. */
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

  /** Drops warnings that the headers have no room for. (apiserver warning.AddWarning) */
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

  /** Calls back once when the request is aborted, at once if it already is. Costs far less than `signal`. */
  onAbort(callback: () => void): void {
    if (this.#abortReason) {
      callback();
      return;
    }
    this.#abortCallbacks = { call: callback, before: this.#abortCallbacks };
  }

  /** True once the connection is done with the request, the client has disconnected, or the request has been aborted. */
  get isAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Adds a listener that is called when the connection is done with the request. The newest listener is called first. */
  onCompletion(listener: CompletionListener): void {
    listener.before = this.#completionListeners;
    this.#completionListeners = listener;
  }

  /** Calls the listeners, and aborts what is still running. */
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

/** A linked list, newest first: an array would begin with room for seventeen. */
interface AbortCallback {
  readonly call: () => void;
  readonly before: AbortCallback | undefined;
}
