import {
  type Authorizer,
  type AuthorizerAttributes,
  type AuthorizerDecision,
  alwaysAllow,
} from '../auth/authorizer.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { percentDecode } from '../http/query-string.ts';
import { badRequest } from '../machinery/status.ts';
import {
  anonymousUserName,
  authenticatedGroup,
  privilegedGroup,
  type UserInfo,
  unauthenticatedGroup,
} from '../machinery/user-info.ts';
import { forbiddenError } from './authorize.ts';

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';
const serviceAccountPrefix = 'system:serviceaccount:';

/** One thing to be, and where permission for it is looked up. */
interface Wish {
  readonly resource: 'users' | 'serviceaccounts' | 'groups' | 'userextras' | 'uids';
  readonly name: string;
  readonly namespace: string;
  /** The key of an extra. */
  readonly key: string;
}

/**
 * Lets a user act as another, named in Impersonate-User, -Group, -Uid and -Extra-* headers, where the authorizer allows
 * the verb `impersonate` on each of them. Where everybody is allowed everything, only administrators are: who a user is
 * still decides whose turn it is, and whom the audit log names. (apiserver endpoints/filters/impersonation)
 */
export function impersonate(authorizer: Authorizer): ApiMiddleware {
  return (ctx, next) => {
    const wishes = wishesOf(ctx.req.rawHeaders);
    if (wishes === undefined) return next();
    const allowed = requireAllowed(ctx.state.user as UserInfo, wishes);
    if (!(allowed instanceof Promise)) return actAs(ctx, wishes, next);
    return allowed.then(() => actAs(ctx, wishes, next));
  };

  function actAs(ctx: ApiContext, wishes: readonly Wish[], next: Next): unknown {
    ctx.state.user = impersonated(wishes);
    const { headers } = ctx.req;
    for (const name in headers) if (name.startsWith(prefix)) delete headers[name];
    return next();
  }

  /** @throws StatusError 403 */
  function requireAllowed(requestor: UserInfo, wishes: readonly Wish[]): void | Promise<void> {
    const trusted = authorizer !== alwaysAllow || requestor.groups.includes(privilegedGroup);
    for (let at = 0; at < wishes.length; at++) {
      const attributes = attributesOf(requestor, wishes[at]);
      if (!trusted) throw forbiddenError(attributes, '');
      const asked = authorizer.authorize(attributes);
      if (asked instanceof Promise) {
        return asked.then((decision) => {
          require(decision, attributes);
          return requireAllowed(requestor, wishes.slice(at + 1));
        });
      }
      require(asked, attributes);
    }
  }
}

function require({ decision, reason }: AuthorizerDecision, attributes: AuthorizerAttributes): void {
  if (decision !== 'allow') throw forbiddenError(attributes, reason);
}

function attributesOf(user: UserInfo, { resource, key, namespace, name }: Wish): AuthorizerAttributes {
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

/**
 * Undefined where nothing is asked, which is the way of nearly every request: a look at the first letters. Headers are read
 * as they came: Node joins those of one name with commas, which a group may have.
 */
function wishesOf(rawHeaders: readonly string[]): readonly Wish[] | undefined {
  let user = '';
  let uid = '';
  let groups: Wish[] | undefined;
  let extras: Wish[] | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at];
    if (raw.length < prefix.length || (raw.charCodeAt(0) | 0x20) !== 0x69) continue;
    const header = raw.toLowerCase();
    const value = rawHeaders[at + 1];
    if (header === 'impersonate-user') user ||= value;
    else if (header === 'impersonate-uid') uid ||= value;
    else if (header === 'impersonate-group') {
      groups ??= [];
      groups.push({ resource: 'groups', name: value, namespace: '', key: '' });
    } else if (header.startsWith(extraPrefix)) {
      const rest = header.slice(extraPrefix.length);
      extras ??= [];
      extras.push({ resource: 'userextras', name: value, namespace: '', key: percentDecode(rest) ?? rest });
    }
  }
  if (user === '' && uid === '' && groups === undefined && extras === undefined) return undefined;
  const wishes = [...(groups ?? []), ...(extras ?? [])];
  if (uid !== '') wishes.push({ resource: 'uids', name: uid, namespace: '', key: '' });
  if (user === '') {
    const asked = wishes.map(({ resource, name }) => `${resource} ${name}`).join(', ');
    throw badRequest(`requested [${asked}] without impersonating a user`);
  }
  wishes.unshift(userWish(user));
  return wishes;
}

function userWish(user: string): Wish {
  const parts = user.startsWith(serviceAccountPrefix) ? user.slice(serviceAccountPrefix.length).split(':') : [];
  if (parts.length === 2 && parts[0] !== '' && parts[1] !== '') {
    return { resource: 'serviceaccounts', namespace: parts[0], name: parts[1], key: '' };
  }
  return { resource: 'users', name: user, namespace: '', key: '' };
}

function impersonated(wishes: readonly Wish[]): UserInfo {
  let name = '';
  let uid = '';
  let groups: string[] = wishes.filter(({ resource }) => resource === 'groups').map((wish) => wish.name);
  const extra = new Map<string, string[]>();
  for (const wish of wishes) {
    if (wish.resource === 'users') name = wish.name;
    if (wish.resource === 'uids') uid = wish.name;
    if (wish.resource === 'userextras') extra.set(wish.key, [...(extra.get(wish.key) ?? []), wish.name]);
    if (wish.resource === 'serviceaccounts') {
      name = `${serviceAccountPrefix}${wish.namespace}:${wish.name}`;
      if (groups.length === 0) groups = ['system:serviceaccounts', `system:serviceaccounts:${wish.namespace}`];
    }
  }
  if (name === anonymousUserName) {
    if (!groups.includes(unauthenticatedGroup)) groups.push(unauthenticatedGroup);
  } else if (!groups.includes(authenticatedGroup) && !groups.includes(unauthenticatedGroup)) {
    groups.push(authenticatedGroup);
  }
  return { name, uid, groups, extra: Object.fromEntries(extra) };
}
