import type { IncomingHttpHeaders } from 'node:http';
import { type Authorizer, type AuthorizerAttributes, alwaysAllow } from '../auth/authorizer.ts';
import { percentDecode } from '../http/query-string.ts';
import type { ApiContext, ApiMiddleware } from '../http/state.ts';
import { badRequest } from '../machinery/status.ts';
import {
  anonymousUserName,
  authenticatedGroup,
  privilegedGroup,
  type UserInfo,
  unauthenticatedGroup,
} from '../machinery/user-info.ts';
import { forbiddenError } from './authorize.ts';

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
  return (ctx, next) => (isAsked(ctx.req.headers) ? act(ctx, next) : next());

  async function act(ctx: ApiContext, next: () => Promise<unknown>): Promise<unknown> {
    const { headers } = ctx.req;
    const wishes = wishesOf(headers, ctx.req.rawHeaders);
    if (wishes.length === 0) return next();
    const requestor = ctx.state.user as UserInfo;
    const trusted = authorizer !== alwaysAllow || requestor.groups.includes(privilegedGroup);
    for (const wish of wishes) {
      const attributes: AuthorizerAttributes = {
        user: requestor,
        verb: 'impersonate',
        isResourceRequest: true,
        path: '',
        group: wish.resource === 'userextras' || wish.resource === 'uids' ? 'authentication.k8s.io' : '',
        version: wish.resource === 'userextras' || wish.resource === 'uids' ? 'v1' : '',
        resource: wish.resource,
        subresource: wish.key,
        namespace: wish.namespace,
        name: wish.name,
      };
      if (!trusted) throw forbiddenError(attributes, '');
      const { decision, reason } = await authorizer.authorize(attributes);
      if (decision !== 'allow') throw forbiddenError(attributes, reason);
    }
    ctx.state.user = impersonated(wishes);
    for (const name of Object.keys(headers)) if (name.startsWith('impersonate-')) delete headers[name];
    return next();
  }
}

/** The way of nearly every request: a look at the names. */
function isAsked(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

function wishesOf(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): Wish[] {
  const wishes: Wish[] = [];
  const user = single(headers['impersonate-user']);
  if (user !== '') wishes.push(userWish(user));
  for (const group of several(rawHeaders, 'impersonate-group')) {
    wishes.push({ resource: 'groups', name: group, namespace: '', key: '' });
  }
  for (const header of Object.keys(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const raw = header.slice(extraPrefix.length);
    const key = percentDecode(raw) ?? raw;
    for (const value of several(rawHeaders, header)) {
      wishes.push({ resource: 'userextras', name: value, namespace: '', key });
    }
  }
  const uid = single(headers['impersonate-uid']);
  if (uid !== '') wishes.push({ resource: 'uids', name: uid, namespace: '', key: '' });
  if (wishes.length > 0 && user === '') {
    const asked = wishes.map(({ resource, name }) => `${resource} ${name}`).join(', ');
    throw badRequest(`requested [${asked}] without impersonating a user`);
  }
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

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Every header that was sent by this name, apart: Node's `headers` joins them with commas, which a group may have. */
function several(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at].toLowerCase() === name) values.push(rawHeaders[at + 1]);
  }
  return values;
}
