import { type Authorizer, type AuthorizerAttributes, type AuthorizerDecision, alwaysAllow } from '../authorization/authorizer.ts';
import { refusedRequest } from '../authorization/refusal.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { removeHeaders } from '../http/remove-headers.ts';
import { requireUser } from '../http/request-state.ts';
import { privilegedGroup, type UserInfo } from '../machinery/user-info.ts';
import { type ImpersonatedAttribute, type Impersonation, isImpersonationHeader, parseImpersonation } from './impersonation-headers.ts';

/**
 * Lets a user act as another user. The headers Impersonate-User, -Group, -Uid and -Extra-* describe the other user, and
 * the requestor needs the verb `impersonate` for each attribute. An authorizer that allows everything restricts
 * impersonation to administrators, because flow control still depends on the user. (apiserver WithImpersonation)
 */
export function withImpersonation(authorizer: Authorizer): ApiMiddleware {
  return (ctx, next) => {
    const impersonation = parseImpersonation(ctx.req.rawHeaders);
    if (impersonation === undefined) return next();
    const allowed = requireAllowed(requireUser(ctx.state), impersonation.attributes, 0);
    if (!(allowed instanceof Promise)) return continueAs(ctx, impersonation, next);
    return allowed.then(() => continueAs(ctx, impersonation, next));
  };

  function continueAs(ctx: ApiContext, { user }: Impersonation, next: Next): unknown {
    ctx.state.user = user;
    removeHeaders(ctx.req, isImpersonationHeader);
    ctx.state.audit?.logImpersonatedUser(user);
    return next();
  }

  /** Checks the attributes from `start` on. @throws StatusError 403 */
  function requireAllowed(requestor: UserInfo, impersonated: readonly ImpersonatedAttribute[], start: number): void | Promise<void> {
    const isTrusted = authorizer !== alwaysAllow || requestor.groups.includes(privilegedGroup);
    for (let at = start, next = impersonated[at]; next !== undefined; at++, next = impersonated[at]) {
      const attributes = attributesOf(requestor, next);
      if (!isTrusted) throw refusedRequest(attributes, '');
      const authorized = authorizer.authorize(attributes);
      if (authorized instanceof Promise) {
        return authorized.then((decision) => {
          requireDecision(decision, attributes);
          return requireAllowed(requestor, impersonated, at + 1);
        });
      }
      requireDecision(authorized, attributes);
    }
  }
}

function requireDecision({ decision, reason }: AuthorizerDecision, attributes: AuthorizerAttributes): void {
  if (decision !== 'allow') throw refusedRequest(attributes, reason);
}

function attributesOf(user: UserInfo, { resource, key, namespace, name }: ImpersonatedAttribute): AuthorizerAttributes {
  const isAuthentication = resource === 'userextras' || resource === 'uids';
  return {
    user,
    verb: 'impersonate',
    isResourceRequest: true,
    path: '',
    group: isAuthentication ? 'authentication.k8s.io' : '',
    version: isAuthentication ? 'v1' : '',
    resource,
    subresource: key,
    namespace,
    name,
  };
}
