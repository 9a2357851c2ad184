import {
  type Authorizer,
  type AuthorizerAttributes,
  type AuthorizerDecision,
  alwaysAllow,
} from '../auth/authorizer.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { privilegedGroup, type UserInfo } from '../machinery/user-info.ts';
import { forbiddenError } from './authorization.ts';
import { type ImpersonatedAttribute, type Impersonation, parseImpersonation } from './impersonation-headers.ts';

/**
 * Lets a user act as another, named in Impersonate-User, -Group, -Uid and -Extra-* headers, where the authorizer allows
 * the verb `impersonate` on each of them. Where everybody is allowed everything, only administrators are: who a user is
 * still decides whose turn it is. (apiserver endpoints/filters/impersonation)
 */
export function withImpersonation(authorizer: Authorizer): ApiMiddleware {
  return (ctx, next) => {
    const asked = parseImpersonation(ctx.req.rawHeaders);
    if (asked === undefined) return next();
    const allowed = requireAllowed(ctx.state.user as UserInfo, asked.attributes, 0);
    if (!(allowed instanceof Promise)) return actAs(ctx, asked, next);
    return allowed.then(() => actAs(ctx, asked, next));
  };

  function actAs(ctx: ApiContext, { user, headers }: Impersonation, next: Next): unknown {
    ctx.state.user = user;
    // not deleted, which would make a dictionary of the object
    for (const name of headers) ctx.req.headers[name] = undefined;
    return next();
  }

  /** @throws StatusError 403 */
  function requireAllowed(
    requestor: UserInfo,
    impersonated: readonly ImpersonatedAttribute[],
    start: number,
  ): void | Promise<void> {
    const trusted = authorizer !== alwaysAllow || requestor.groups.includes(privilegedGroup);
    for (let at = start; at < impersonated.length; at++) {
      const attributes = attributesOf(requestor, impersonated[at]);
      if (!trusted) throw forbiddenError(attributes, '');
      const asked = authorizer.authorize(attributes);
      if (asked instanceof Promise) {
        return asked.then((decision) => {
          requireYes(decision, attributes);
          return requireAllowed(requestor, impersonated, at + 1);
        });
      }
      requireYes(asked, attributes);
    }
  }
}

function requireYes({ decision, reason }: AuthorizerDecision, attributes: AuthorizerAttributes): void {
  if (decision !== 'allow') throw forbiddenError(attributes, reason);
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
