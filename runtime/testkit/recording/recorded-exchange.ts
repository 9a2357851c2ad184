import type { ApiContext } from '../../http/context.ts';
import type { CompletionListener, WatchEventListener } from '../../http/request-state.ts';
import type { RecordedEntry, RecordedResponse } from './format.ts';

export interface ExchangeOptions {
  /** The ID of the request. */
  readonly id: number;
  readonly now: () => string;
  readonly add: (entry: RecordedEntry) => void;
}

/** Headers about the format and the purpose of a request. None of them authenticates. */
const recordedHeaders = ['accept', 'content-type', 'user-agent', 'audit-id', 'kubectl-command'];
const impersonationPrefix = 'impersonate-';

/** One request and its response. */
export class RecordedExchange implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #ctx: ApiContext;
  readonly #options: ExchangeOptions;

  /** @param ctx an authenticated request, before impersonation */
  constructor(ctx: ApiContext, options: ExchangeOptions) {
    this.#ctx = ctx;
    this.#options = options;
    const { state, req, method } = ctx;
    const { id, now, add } = options;
    add({
      type: 'request',
      time: now(),
      id,
      user: state.user?.name ?? '',
      groups: state.user?.groups ?? [],
      verb: state.requestInfo.verb,
      method,
      url: withoutToken(req.url ?? ''),
      headers: headersOf(ctx),
    });
    state.onCompletion(this);
    state.onWatchEvent = this.#onWatchEvent;
  }

  completed(): void {
    const { res, state } = this.#ctx;
    const { id, now, add } = this.#options;
    const code = res.headersSent ? res.statusCode : undefined;
    add({
      type: 'response',
      time: now(),
      id,
      code,
      revision: state.written?.revision,
      requestBody: requestBody(this.#ctx),
    });
  }

  readonly #onWatchEvent: WatchEventListener = (event, revision, object) => {
    const { id, now, add } = this.#options;
    add({ type: 'event', time: now(), id, event, revision, namespace: object?.namespace, name: object?.name });
  };
}

/** Returns the body, unless it may contain tokens. */
function requestBody({ state }: ApiContext): RecordedResponse['requestBody'] {
  const { body, requestInfo } = state;
  if (body === undefined || body.length === 0 || requestInfo.resource === 'tokenreviews') return undefined;
  const text = body.toString('utf8');
  return Buffer.from(text).equals(body) ? text : { base64: body.toString('base64') };
}

function headersOf({ req }: ApiContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || !(recordedHeaders.includes(name) || name.startsWith(impersonationPrefix))) continue;
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

const withoutToken = (url: string): string => url.replace(/([?&]access_token=)[^&]*/g, '$1REDACTED');
