import type { Authorizer, AuthorizerAttributes } from '../authorization/authorizer.ts';
import { refusedRequest } from '../authorization/refusal.ts';
import type { ApiContext, ApiMiddleware, Next } from '../http/context.ts';
import { removeHeaders } from '../http/remove-headers.ts';
import { requireUser } from '../http/request-state.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { isStatusError, type StatusError } from '../machinery/errors/status.ts';
import {
  anonymousUserName,
  authenticatedGroup,
  privilegedGroup,
  serviceAccountGroups,
  type UserInfo,
  unauthenticatedGroup,
} from '../machinery/user-info.ts';
import { dnsSubdomain } from '../machinery/validation/name-formats.ts';
import { attributesOf } from './authorization.ts';
import { describeUserInfo, isImpersonationHeader, parseImpersonation, serviceAccountOf, type WantedUser } from './impersonation-headers.ts';

/** The extra of service account tokens that names the node of their pod. */
const nodeNameKey = 'authentication.kubernetes.io/node-name';
const nodePrefix = 'system:node:';
const nodesGroup = 'system:nodes';
/** From this number on, groups or extras are first checked all at once. */
const manyChecks = 4;

/** One kind of permission to impersonate, besides the verb `impersonate`, which allows everything. */
interface ImpersonationMode {
  /** Follows `impersonate:` and `impersonate-on:` in verbs. */
  readonly name: string;
  /** Reports whether the mode is for this user. */
  applies(wanted: WantedUser, requestor: UserInfo): boolean;
  /** Changes the attributes that the authorizer checks. */
  readonly attributes?: (attributes: AuthorizerAttributes) => AuthorizerAttributes;
}

/** The modes, in the order in which they are tried. */
const modes: readonly ImpersonationMode[] = [
  {
    name: 'associated-node',
    applies: (wanted, requestor) => isOnlyNamed(wanted) && isAssociatedNode(wanted.name, requestor),
    // permission for the node of the requestor's pod is permission for all its nodes, and does not depend on the pod
    attributes: (attributes) => ({
      ...attributes,
      ...(attributes.verb === 'impersonate:associated-node' && { name: '*' }),
      user: {
        ...attributes.user,
        extra: { 'authentication.kubernetes.io/associated-node-keys': Object.keys(attributes.user.extra).sort() },
      },
    }),
  },
  { name: 'arbitrary-node', applies: (wanted) => isOnlyNamed(wanted) && nodeOf(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => isOnlyNamed(wanted) && serviceAccountOf(wanted.name) !== undefined },
  {
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined,
  },
];

const isOnlyNamed = ({ uid, groups, extra }: WantedUser): boolean => uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

function nodeOf(username: string): string | undefined {
  const name = username.startsWith(nodePrefix) ? username.slice(nodePrefix.length) : '';
  return name !== '' && dnsSubdomain(name).length === 0 ? name : undefined;
}

function isAssociatedNode(username: string, { name, extra }: UserInfo): boolean {
  const node = nodeOf(username);
  const own = extra[nodeNameKey] ?? [];
  return node !== undefined && serviceAccountOf(name) !== undefined && own.length === 1 && own[0] === node;
}

/** How many users' last modes are remembered. */
const rememberedUsers = 10_000;

/**
 * Lets a user act as another user. The requestor needs permission for the action (`impersonate-on:<mode>:<verb>`) and
 * for the user (`impersonate:<mode>`). Otherwise `legacy` decides, by the verb `impersonate`. The mode that last allowed
 * something to the requestor is tried first. The client gets the first refusal. (apiserver WithConstrainedImpersonation,
 * KEP-5284; upstream remembers decisions for some seconds)
 */
export function withConstrainedImpersonation(authorizer: Authorizer, legacy: ApiMiddleware): ApiMiddleware {
  /** By the name of the requestor. */
  const lastModes = new BoundedMap<string, ImpersonationMode | 'legacy'>(rememberedUsers);
  return (ctx, next) => {
    const impersonation = parseImpersonation(ctx.req.rawHeaders, describeUserInfo);
    if (impersonation === undefined) return next();
    return tryModes(ctx, impersonation.wanted, next);
  };

  async function tryModes(ctx: ApiContext, wanted: WantedUser, next: Next): Promise<unknown> {
    const request = attributesOf(ctx.state.requestInfo, requireUser(ctx.state));
    const refusals: StatusError[] = [];
    const requestor = request.user.name;
    const last = lastModes.get(requestor);
    const all = [...modes, 'legacy' as const];
    for (const mode of last === undefined ? all : [last, ...all.filter((one) => one !== last)]) {
      if (mode === 'legacy') {
        const { user } = ctx.state;
        try {
          return await legacy(ctx, () => {
            lastModes.set(requestor, mode);
            return next();
          });
        } catch (error) {
          // anything but a refusal of the filter itself, which does not change the user
          if (ctx.state.user !== user || !isStatusError(error)) throw error;
          refusals.push(error);
          continue;
        }
      }
      if (!mode.applies(wanted, request.user)) continue;
      const user = await refusedAs(refusals, () => impersonate(mode, wanted, request));
      if (user === undefined) continue;
      lastModes.set(requestor, mode);
      ctx.state.user = user;
      removeHeaders(ctx.req, isImpersonationHeader);
      ctx.state.audit?.logImpersonatedUser(user, `impersonate:${mode.name}`);
      return next();
    }
    throw refusals[0];
  }

  /** @throws StatusError 403 */
  async function impersonate(mode: ImpersonationMode, wanted: WantedUser, request: AuthorizerAttributes): Promise<UserInfo> {
    const require = async (attributes: AuthorizerAttributes): Promise<void> => {
      const asked = mode.attributes?.(attributes) ?? attributes;
      const { decision, reason, evaluationError } = await authorizer.authorize(asked);
      if (decision === 'allow') return;
      throw refusedRequest(asked, [evaluationError, reason].filter(Boolean).join(': '));
    };
    await require({ ...request, verb: `impersonate-on:${mode.name}:${request.verb}` });
    const about = (resource: string, name: string, more: object = {}): AuthorizerAttributes => ({
      user: request.user,
      verb: `impersonate:${mode.name}`,
      isResourceRequest: true,
      path: '',
      group: 'authentication.k8s.io',
      version: 'v1',
      resource,
      subresource: '',
      namespace: '',
      name,
      ...more,
    });
    const node = nodeOf(wanted.name);
    const account = serviceAccountOf(wanted.name);
    if (node !== undefined) await require(about('nodes', node));
    else if (account === undefined) await require(about('users', wanted.name));
    else await require(about('serviceaccounts', account.name, { namespace: account.namespace }));
    if (wanted.uid !== '') await require(about('uids', wanted.uid));
    await requireGroups(wanted.groups, about, require);
    await requireExtra(wanted.extra, about, require);
    const groups = node !== undefined ? [nodesGroup] : account ? serviceAccountGroups(account.namespace) : wanted.groups;
    return { ...wanted, groups: withDefaultGroup(wanted.name, groups) };
  }
}

type About = (resource: string, name: string, more?: object) => AuthorizerAttributes;
type Require = (attributes: AuthorizerAttributes) => Promise<void>;

/** Returns undefined for a refusal, and adds it to `refusals`. */
async function refusedAs<T>(refusals: StatusError[], attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    refusals.push(error);
    return undefined;
  }
}

async function requireGroups(groups: readonly string[], about: About, require: Require): Promise<void> {
  if (groups.includes('')) {
    throw refusedRequest(about('groups', ''), 'impersonating the empty string group is not allowed');
  }
  if (groups.includes(privilegedGroup)) {
    throw refusedRequest(about('groups', privilegedGroup), 'impersonating the system:masters group is not allowed');
  }
  const all = groups.length >= manyChecks ? require(about('groups', '*')) : undefined;
  if (all !== undefined && (await refusedAs([], () => all.then(() => true)))) return;
  for (const group of groups) await require(about('groups', group));
}

async function requireExtra(extra: UserInfo['extra'], about: About, require: Require): Promise<void> {
  const entries = Object.entries(extra);
  const error = entries.map(([key, values]) => extraError(key, values)).find((text) => text !== undefined);
  if (error !== undefined) throw refusedRequest(about('userextras', ''), error);
  const count = entries.reduce((sum, [, values]) => sum + values.length, 0);
  const all = count >= manyChecks ? require(about('userextras', '*', { subresource: '*' })) : undefined;
  if (all !== undefined && (await refusedAs([], () => all.then(() => true)))) return;
  for (const [key, values] of entries) {
    for (const value of values) await require(about('userextras', value, { subresource: key }));
  }
}

function extraError(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  const [, host, path] = /^([^/]*)\/(.*)$/s.exec(key) ?? [];
  if (!host || !path) {
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${JSON.stringify(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
  }
  if (dnsSubdomain(host).length > 0) {
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${JSON.stringify(host)}: ${dnsSubdomain(host)[0]}`;
  }
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

function withDefaultGroup(name: string, groups: readonly string[]): readonly string[] {
  if (name === anonymousUserName) {
    return groups.includes(unauthenticatedGroup) ? groups : [...groups, unauthenticatedGroup];
  }
  const isComplete = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return isComplete ? groups : [...groups, authenticatedGroup];
}
