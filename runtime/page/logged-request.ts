import type { ApiContext } from '../http/context.ts';
import type { CompletionListener } from '../http/request-state.ts';
import { upgradeTaken } from '../http/upgrade.ts';
import type { RequestActivity } from './activity.ts';

/** A request in the log. It holds its context only while it runs. */
export class LoggedRequest implements CompletionListener {
  before: CompletionListener | undefined;
  readonly id: number;
  /** The sequence of the last change. */
  changed: number;
  readonly #onCompleted: (request: LoggedRequest) => void;
  #ctx: ApiContext | undefined;
  #facts: RequestActivity;

  /** @param ctx an authenticated request */
  constructor(id: number, ctx: ApiContext, onCompleted: (request: LoggedRequest) => void) {
    this.id = id;
    this.changed = id;
    this.#ctx = ctx;
    this.#onCompleted = onCompleted;
    this.#facts = factsOf(id, ctx);
  }

  completed(): void {
    this.#onCompleted(this);
  }

  /** Keeps the facts of the end. */
  end(time: number, sequence: number): void {
    if (this.#ctx === undefined) return;
    this.#facts = { ...factsOf(this.id, this.#ctx), end: time, code: codeOf(this.#ctx) };
    this.#ctx = undefined;
    this.changed = sequence;
  }

  facts(): RequestActivity {
    return this.#ctx === undefined ? this.#facts : factsOf(this.id, this.#ctx);
  }
}

/** Returns undefined for a request without a response. */
function codeOf({ req, res }: ApiContext): number | undefined {
  if (upgradeTaken(req)) return 101;
  return res.headersSent ? res.statusCode : undefined;
}

function factsOf(id: number, { state, req, path }: ApiContext): RequestActivity {
  const { verb, group, resource, subresource, namespace, name } = state.requestInfo;
  return {
    id,
    time: state.receivedAt,
    user: state.user?.name ?? '',
    agent: req.headers['user-agent'] ?? '',
    verb,
    path,
    group,
    resource,
    subresource,
    namespace,
    name: name === '' ? (state.written?.name ?? '') : name,
    revision: state.written?.revision,
    faults: state.faults,
  };
}
