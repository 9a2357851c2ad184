import type { GroupVersionKind } from '../machinery/gvk.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Query } from './query-string.ts';
import type { RequestInfo } from './request-info.ts';

/** Whether there is a kind that the server has all its life. */
export type KnowsKind = (kind: GroupVersionKind) => boolean;

/** What a filter does when a request is over. A filter of every request makes one object of it, and no functions. */
export interface Ending {
  over(): void;
  /** The one that came before. */
  before: Ending | undefined;
}

/** What the filters know of one request, in `ctx.state`. */
export interface RequestState {
  readonly requestInfo: RequestInfo;
  readonly query: Query;
  /** Set by the authenticate filter, replaced by the impersonate filter. */
  user?: UserInfo;
  /** The client's Audit-ID header, or a new UUID. */
  readonly auditId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** When the request times out, in milliseconds since the epoch; absent for long-running requests. */
  deadline?: number;
  /** The deadline has passed and the client was told. Set by the timeout filter. */
  isTimedOut: boolean;
  /** The client takes gzip, and the answer may be compressed when it is large. Set by the compress filter. */
  gzip: boolean;
  /** CBOR may be read and written. Set by the offer-cbor filter. */
  cbor: boolean;
  /** For what is said of bodies of other kinds. Set where resources are dispatched. */
  knowsKind?: KnowsKind;
  /** Called by a watch once it has sent what there was. Set by the priority-fairness filter. */
  onWatchBegun?: () => void;
  /** Headers of the answer, whatever it will be: names and values in turns. What is set on the response itself wins. */
  readonly head: string[];
  /** Texts for the client's user, sent as Warning headers; texts seen before are sent once. */
  readonly warnings: readonly string[];
  warn(...texts: readonly string[]): void;
  /** Aborted when the client goes away, the deadline passes, or the server stops. Made when first asked for. */
  readonly signal: AbortSignal;
  /** Aborts `signal`; later calls do nothing. */
  abort(reason: Error): void;
  /** Calls back once with the abort, at once if it was; for those who do not need a signal, which costs far more. */
  whenAborted(callback: () => void): void;
  /** Tells when the connection is done with the request, however it ended; the last to come is told first. */
  whenOver(ending: Ending): void;
  /** Says that it is. */
  over(): void;
}

export interface RequestStateInit {
  readonly requestInfo: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  readonly receivedAt: number;
}

export function createRequestState(init: RequestStateInit): RequestState {
  return new State(init);
}

const noWarnings: readonly string[] = [];
/** Made once: an error of its own for each request costs more than parsing its URL. */
const requestOver = new Error('the request is over');

/** Most requests never look at the signal, and an AbortController costs more than the rest of the state together. */
class State implements RequestState {
  readonly requestInfo: RequestInfo;
  readonly query: Query;
  readonly auditId: string;
  readonly receivedAt: number;
  readonly head: string[] = [];
  user?: UserInfo;
  deadline?: number;
  onWatchBegun?: () => void;
  knowsKind?: KnowsKind;
  isTimedOut = false;
  gzip = false;
  cbor = false;
  #warnings: string[] | undefined;
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #whenOver: Ending | undefined;
  #whenAborted: Callback | undefined;

  constructor(init: RequestStateInit) {
    this.requestInfo = init.requestInfo;
    this.query = init.query;
    this.auditId = init.auditId;
    this.receivedAt = init.receivedAt;
  }

  get warnings(): readonly string[] {
    return this.#warnings ?? noWarnings;
  }

  warn(...texts: readonly string[]): void {
    this.#warnings ??= [];
    this.#warnings.push(...texts);
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  whenAborted(callback: () => void): void {
    if (this.#reason) {
      callback();
      return;
    }
    this.#whenAborted = { call: callback, before: this.#whenAborted };
  }

  whenOver(ending: Ending): void {
    ending.before = this.#whenOver;
    this.#whenOver = ending;
  }

  over(): void {
    let ending = this.#whenOver;
    this.#whenOver = undefined;
    for (; ending !== undefined; ending = ending.before) ending.over();
    this.abort(requestOver);
  }

  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    let last = this.#whenAborted;
    this.#whenAborted = undefined;
    for (; last !== undefined; last = last.before) last.call();
  }
}

/** The last one that came, and those before it: an array would begin with room for seventeen. */
interface Callback {
  readonly call: () => void;
  readonly before: Callback | undefined;
}
