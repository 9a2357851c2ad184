import type { AuditMetrics } from '../audit/audit-metrics.ts';
import { AuditedRequest } from '../audit/audited-request.ts';
import type { Backend } from '../audit/backend.ts';
import type { ObjectReference } from '../audit/event.ts';
import type { PolicyRuleEvaluator } from '../audit/policy/checker.ts';
import { RequestAudit } from '../audit/request-audit.ts';
import type { RequestAuditConfig, Stage } from '../audit/types.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { clientStatusOf, negotiableStatus } from '../http/error-response.ts';
import { mediaTypes } from '../http/negotiation.ts';
import { isLongRunning, type RequestInfo } from '../http/request-info.ts';
import { encodeObject, sendBytes } from '../http/respond.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Status } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import { setOrDelete } from '../machinery/json/defined.ts';

export interface AuditFilterOptions {
  readonly policy: PolicyRuleEvaluator;
  readonly backend: Backend;
  readonly metrics: AuditMetrics;
  readonly clock: Clock;
  /**
   * Whether a response waits for the backend: at most until the end of the turn, or until the backend's promise
   * resolves.
   */
  readonly holdsResponses?: 'atEndOfTurn' | 'whenAudited' | undefined;
}

/** Reports each request that the policy logs to the backend, at its stages. (apiserver WithAudit) */
export function withAudit(options: AuditFilterOptions): ApiMiddleware {
  return (ctx, next) => {
    const { requestInfo, user } = ctx.state;
    const config = options.policy.evaluate(requestInfo, user);
    options.metrics.observeLevel(config.level);
    return config.level === 'None' ? next() : new AuditedExchange(ctx, config, options).run(next);
  };
}

/**
 * Reports requests that fail before they have a user: unauthenticated requests, and requests with an invalid timeout.
 * (apiserver WithFailedAuthenticationAudit, withFailedRequestAudit)
 */
export function withFailedRequestAudit(options: AuditFilterOptions): ApiMiddleware {
  return (ctx, next) => {
    const failed = (error: unknown): unknown => {
      const { requestInfo, user } = ctx.state;
      if (user !== undefined) throw error;
      const config = options.policy.evaluate(requestInfo, undefined);
      options.metrics.observeLevel(config.level);
      if (config.level === 'None') throw error;
      return new AuditedExchange(ctx, config, options).refuse(error);
    };
    try {
      const running = next();
      return running instanceof Promise ? running.catch(failed) : running;
    } catch (error) {
      return failed(error);
    }
  };
}

/** An audited request, from RequestReceived to ResponseComplete or Panic. */
class AuditedExchange {
  readonly #ctx: ApiContext;
  readonly #options: AuditFilterOptions;
  readonly #audit: RequestAudit;
  readonly #request: AuditedRequest;
  readonly #target: ObjectReference | undefined;
  readonly #isLongRunning: boolean;

  constructor(ctx: ApiContext, config: RequestAuditConfig, options: AuditFilterOptions) {
    const { auditId, receivedAt, requestInfo, user } = ctx.state;
    this.#ctx = ctx;
    this.#options = options;
    this.#audit = new RequestAudit(config);
    this.#request = new AuditedRequest({ message: ctx.req, auditId, verb: requestInfo.verb, user, receivedAt });
    this.#target = requestInfo.isResourceRequest ? targetOf(requestInfo) : undefined;
    this.#isLongRunning = isLongRunning(requestInfo);
    ctx.state.audit = this.#audit;
  }

  run(next: Next): unknown {
    const stored = this.#process('RequestReceived');
    return stored instanceof Promise ? stored.then((isStored) => this.#serve(isStored, next)) : this.#serve(stored, next);
  }

  /** Audits the response to a request that a filter refuses. */
  refuse(error: unknown): unknown {
    const { req, state } = this.#ctx;
    const message = authenticationMethods(req, state.query.has('access_token'));
    this.#logError(error, { message, code: clientStatusOf(error)?.code ?? 500 });
    const processed = this.#process('ResponseStarted');
    if (!(processed instanceof Promise)) throw error;
    return processed.then(() => {
      throw error;
    });
  }

  #serve(isStored: boolean, next: Next): unknown {
    const { state } = this.#ctx;
    if (!isStored) return this.#reject();
    if (this.#isLongRunning) this.#audit.onResponseStarted = (code) => this.#started(code);
    else setOrDelete(state, 'sendsResponse', this.#options.holdsResponses);
    try {
      const running = next();
      if (!(running instanceof Promise)) return this.#complete();
      return running.then(
        () => this.#complete(),
        (error) => this.#fail(error),
      );
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** (responsewriters.InternalError) */
  #reject(): void {
    const { req } = this.#ctx;
    this.#options.metrics.requestRejected();
    const text = `Internal Server Error: ${quote(req.url ?? '')}: failed to store audit event\n`;
    this.#ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    sendBytes(this.#ctx, 500, 'text/plain; charset=utf-8', Buffer.from(text.replace(/[&<>]/g, escapeHtml)));
  }

  /** Records a complete response. */
  #complete(): unknown {
    const { res, state } = this.#ctx;
    const held = state.heldResponse;
    if (res.headersSent || held !== undefined) this.#setCode(held?.code ?? res.statusCode);
    else if (this.#audit.responseStatus === undefined) this.#closedEarly();
    const processed = this.#process('ResponseComplete');
    delete state.sendsResponse;
    const send = (): void => {
      if (held !== undefined) sendBytes(this.#ctx, held.code, held.contentType, held.body);
    };
    return processed instanceof Promise ? processed.then(send) : send();
  }

  /** Records an error. The first filter responds to it. */
  #fail(error: unknown): unknown {
    const { res, state } = this.#ctx;
    delete state.sendsResponse;
    const status = clientStatusOf(error);
    let stage: Stage = 'ResponseComplete';
    // the timeout filter responded with this error before
    if (res.headersSent && (status === undefined || !state.isTimedOut)) this.#setCode(res.statusCode);
    else if (status === undefined && state.isAborted) this.#closedEarly();
    else if (status === undefined) {
      stage = 'Panic';
      const message = `APIServer panic'd: ${(error as Error)?.message ?? error}`;
      this.#audit.responseStatus = { status: 'Failure', message, reason: 'InternalError', code: 500 };
    } else {
      this.#logError(error, { code: status.code });
      this.#audit.responseStarted(status.code);
    }
    const processed = this.#process(stage);
    if (!(processed instanceof Promise)) throw error;
    return processed.then(() => {
      throw error;
    });
  }

  /** @param hidden the status if the response cannot show one, because Accept names no supported media type */
  #logError(error: unknown, hidden: Partial<Status>): void {
    const shown = negotiableStatus(this.#ctx, error);
    this.#audit.logResponseStatus(shown ?? hidden);
    if (shown === undefined || !this.#audit.logsResponse) return;
    this.#audit.logResponseObject([encodeObject(shown, { mediaType: mediaTypes.json, pretty: false })]);
  }

  #closedEarly(): void {
    this.#audit.responseStatus = { status: 'Success', message: 'Connection closed early', code: 200 };
    this.#audit.responseStarted(200);
  }

  #started(code: number): void {
    this.#setCode(code);
    void this.#process('ResponseStarted');
  }

  #setCode(code: number): void {
    this.#audit.responseStatus = { ...this.#audit.responseStatus, code };
  }

  #process(stage: Stage): boolean | Promise<boolean> {
    const { backend, clock, metrics } = this.#options;
    if (this.#audit.config.omitStages.has(stage)) return true;
    metrics.observeEvent();
    return backend.processEvents([this.#audit.event(stage, this.#request, this.#target, clock.now())]);
  }
}

const targetOf = ({ group, version, resource, subresource, namespace, name }: RequestInfo): ObjectReference => ({
  resource,
  namespace,
  name,
  uid: '',
  apiGroup: group,
  apiVersion: version,
  resourceVersion: '',
  subresource,
});

const htmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeHtml = (char: string): string => htmlEscapes[char] ?? char;

/** Returns the kinds of credentials of a request. (filters.getAuthMethods) */
function authenticationMethods({ headers, socket }: ApiContext['req'], hasAccessToken: boolean): string {
  const methods: string[] = [];
  const [scheme = '', ...rest] = (headers.authorization ?? '').trim().split(' ');
  if (scheme.toLowerCase() === 'basic') methods.push('basic');
  if (scheme.toLowerCase() === 'bearer' && rest.length > 0) methods.push('bearer');
  if (hasAccessToken) methods.push('access_token');
  const { getPeerCertificate } = socket as { getPeerCertificate?(): object };
  if (Object.keys(getPeerCertificate?.call(socket) ?? {}).length > 0) methods.push('x509');
  if (methods.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${methods.join(', ')}`;
}
