import { type Authorizer, type AuthorizerAttributes, type AuthorizerDecision, alwaysAllow } from '../authorization/authorizer.ts';
import { escapeHtml, refusedRequest } from '../authorization/refusal.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { requireUser } from '../http/request-state.ts';
import { respondPlainError } from '../http/respond.ts';
import type { AuditContext } from '../machinery/audit-context.ts';
import { quote } from '../machinery/go/quote.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { AccessMetrics } from './access-metrics.ts';

/** Passes requests that the authorizer allows; responds to the others with 403. (apiserver WithAuthorization) */
export function withAuthorization(authorizer: Authorizer, metrics: AccessMetrics): ApiMiddleware {
  if (authorizer === alwaysAllow) {
    return ({ state }, next) => {
      metrics.authorized('allowed');
      if (state.audit !== undefined) annotate(state.audit, allowed);
      state.isAuthorized = true;
      return next();
    };
  }
  return (ctx, next) => {
    const { requestInfo } = ctx.state;
    const attributes = attributesOf(requestInfo, requireUser(ctx.state));
    const authorized = authorizer.authorize(attributes);
    if (!(authorized instanceof Promise)) {
      metrics.authorized(resultOf(authorized));
      if (ctx.state.audit !== undefined) annotate(ctx.state.audit, authorized);
      return finish(ctx, authorized, attributes, next);
    }
    return authorized.then((decision) => {
      metrics.authorized(resultOf(decision));
      if (ctx.state.audit !== undefined) annotate(ctx.state.audit, decision);
      return finish(ctx, decision, attributes, next);
    });
  };
}

/** Passes an allowed request. A failure of the authorizer is a text. @throws StatusError 403 */
function finish(ctx: ApiContext, decided: AuthorizerDecision, attributes: AuthorizerAttributes, next: Next): unknown {
  const { decision, reason, evaluationError } = decided;
  if (decision === 'allow') {
    ctx.state.isAuthorized = true;
    return next();
  }
  if (evaluationError === undefined) throw refusedRequest(attributes, reason);
  respondPlainError(ctx, 500, escapeHtml(`Internal Server Error: ${quote(ctx.req.url ?? '')}: ${evaluationError}`));
  return undefined;
}

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };

function annotate(audit: AuditContext, { decision, reason, evaluationError }: AuthorizerDecision): void {
  if (decision !== 'allow' && evaluationError !== undefined) {
    audit.addAnnotation('authorization.k8s.io/reason', 'internal error');
    return;
  }
  audit.addAnnotation('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
  audit.addAnnotation('authorization.k8s.io/reason', reason);
}

function resultOf({ decision, evaluationError }: AuthorizerDecision): 'allowed' | 'denied' | 'no-opinion' | 'error' {
  if (decision === 'allow') return 'allowed';
  if (evaluationError !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}

/** Copies each member: spreading the request info takes several times as long. (apiserver GetAuthorizerAttributes) */
export function attributesOf(info: RequestInfo, user: UserInfo): AuthorizerAttributes {
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    fieldSelector: info.fieldSelector,
    labelSelector: info.labelSelector,
  };
}
