import type { ApiContext } from '../../http/context.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import type { CompletionListener, RequestState } from '../../http/request-state.ts';
import type { ServedWatch } from '../../http/served-watch.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { MatchedRequest } from './request-match.ts';
import type { RequestRecord } from './request-record.ts';

/** A request in the log. It reads the state of a running request; at the end it keeps only the fields of records. */
export class LoggedRequest implements CompletionListener, MatchedRequest {
  before: CompletionListener | undefined;
  readonly sequence: number;
  readonly userAgent: string;
  readonly #receivedAt: number;
  readonly #url: string;
  readonly #requestor: string;
  readonly #onCompleted: (request: LoggedRequest) => void;
  #running: ApiContext | undefined;
  #info: RequestInfo;
  #user = '';
  #groups: readonly string[] = [];
  #code: number | undefined;
  #resourceVersion: string | undefined;

  /** @param ctx an authenticated request, before impersonation */
  constructor(sequence: number, ctx: ApiContext, onCompleted: (request: LoggedRequest) => void) {
    const { state, req } = ctx;
    this.sequence = sequence;
    this.#receivedAt = state.receivedAt;
    this.#url = req.url ?? '';
    this.userAgent = req.headers['user-agent'] ?? '';
    this.#requestor = state.user?.name ?? '';
    this.#info = state.requestInfo;
    this.#running = ctx;
    this.#onCompleted = onCompleted;
  }

  completed(): void {
    this.#refresh();
    this.#running = undefined;
    this.#onCompleted(this);
  }

  /**
   * Whether the response is unfinished. A client may see the end of a response before the connection is done with it.
   */
  get running(): boolean {
    return this.#running !== undefined && !this.#running.res.writableEnded;
  }

  /** The progress of the request's watch; undefined for other requests, and after its end. */
  get watch(): ServedWatch | undefined {
    return this.#running?.state.watch;
  }

  get info(): RequestInfo {
    this.#refresh();
    return this.#info;
  }

  get user(): string {
    this.#refresh();
    return this.#user;
  }

  get groups(): readonly string[] {
    this.#refresh();
    return this.#groups;
  }

  get code(): number | undefined {
    this.#refresh();
    return this.#code;
  }

  record(): RequestRecord {
    this.#refresh();
    const { verb, group, version, resource, subresource, namespace, name } = this.#info;
    return {
      sequence: this.sequence,
      time: new Date(this.#receivedAt).toISOString(),
      user: this.#user,
      groups: this.#groups,
      ...(this.#user === this.#requestor ? {} : { impersonatedBy: this.#requestor }),
      userAgent: this.userAgent,
      verb,
      url: this.#url,
      apiGroup: group,
      apiVersion: version,
      resource,
      subresource,
      namespace,
      name,
      ...defined({ code: this.#code, resourceVersion: this.#resourceVersion }),
      running: this.running,
    };
  }

  #refresh(): void {
    if (this.#running === undefined) return;
    const { state, res } = this.#running;
    this.#user = state.user?.name ?? '';
    this.#groups = state.user?.groups ?? [];
    this.#code = res.headersSent ? res.statusCode : undefined;
    this.#refreshWritten(state);
  }

  #refreshWritten({ written }: RequestState): void {
    if (written === undefined) return;
    this.#resourceVersion = String(written.revision);
    if (this.#info.name === '') this.#info = { ...this.#info, name: written.name };
  }
}
