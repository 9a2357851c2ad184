import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { badRequest } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import { percentDecode } from '../machinery/percent-decode.ts';
import {
  anonymousUserName,
  authenticatedGroup,
  serviceAccountGroups,
  serviceAccountPrefix,
  serviceAccountUserName,
  type UserInfo,
  unauthenticatedGroup,
} from '../machinery/user-info.ts';
import { dnsLabel, dnsSubdomain } from '../machinery/validation/name-formats.ts';

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** One attribute of the impersonated user, as the authorizer sees it. */
export interface ImpersonatedAttribute {
  readonly resource: 'users' | 'serviceaccounts' | 'groups' | 'userextras' | 'uids';
  readonly name: string;
  readonly namespace: string;
  /** The key of an extra; "" for other attributes. */
  readonly key: string;
}

/** The user of the headers, without the groups that follow from the name. */
export type WantedUser = UserInfo;

/** The user that the headers of a request describe. */
export interface Impersonation {
  readonly user: UserInfo;
  readonly wanted: WantedUser;
  /** The attributes that need permission, in the order in which they are checked. */
  readonly attributes: readonly ImpersonatedAttribute[];
  /** Names and values of the headers in turns, as the client sent them. */
  readonly rawHeaders: readonly string[];
}

/** Impersonations by the first value of their headers. */
const known = new BoundedMap<string, Impersonation>(512);

/** Describes attributes without a user in an error. */
type DescribeNobody = (attributes: readonly ImpersonatedAttribute[]) => string;

/**
 * Returns the impersonation of a request; undefined for a request without the headers. The result is memoized, because
 * clients that impersonate repeat the same headers. Raw headers are used, because Node joins headers of one name with
 * commas, and a group's name may contain a comma. (apiserver buildImpersonationRequests)
 *
 * @throws StatusError 400 for headers without a user
 */
export function parseImpersonation(
  rawHeaders: readonly string[],
  describe: DescribeNobody = describeReferences,
): Impersonation | undefined {
  let at = 0;
  while (at < rawHeaders.length && !isImpersonationHeader(rawHeaders[at] ?? '')) at += 2;
  if (at >= rawHeaders.length) return undefined;
  const first = rawHeaders[at + 1] ?? '';
  const last = known.get(first);
  if (last !== undefined && hasSameHeaders(rawHeaders, at, last.rawHeaders)) return last;
  const own: string[] = [];
  for (; at < rawHeaders.length; at += 2) {
    const [header = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (isImpersonationHeader(header)) own.push(header, value);
  }
  const found = parse(own, describe);
  if (found === undefined) return undefined;
  known.set(first, found);
  return found;
}

/** @param name in any case */
export function isImpersonationHeader(name: string): boolean {
  return name.length > prefix.length && (name.charCodeAt(0) | 0x20) === 0x69 && name.toLowerCase().startsWith(prefix);
}

function hasSameHeaders(rawHeaders: readonly string[], start: number, known: readonly string[]): boolean {
  let place = 0;
  for (let at = start; at < rawHeaders.length; at += 2) {
    if (!isImpersonationHeader(rawHeaders[at] ?? '')) continue;
    if (known[place] !== rawHeaders[at] || known[place + 1] !== rawHeaders[at + 1]) return false;
    place += 2;
  }
  return place === known.length;
}

/** @param rawHeaders names and values in turns */
function parse(rawHeaders: readonly string[], describe: DescribeNobody): Impersonation | undefined {
  let user = '';
  let uid = '';
  const groups: ImpersonatedAttribute[] = [];
  const extras: ImpersonatedAttribute[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]?.toLowerCase() ?? '';
    const name = rawHeaders[at + 1] ?? '';
    if (header === 'impersonate-user') user ||= name;
    else if (header === 'impersonate-uid') uid ||= name;
    else if (header === 'impersonate-group') groups.push({ resource: 'groups', name, namespace: '', key: '' });
    else if (header.startsWith(extraPrefix)) {
      const rest = header.slice(extraPrefix.length);
      extras.push({ resource: 'userextras', name, namespace: '', key: percentDecode(rest) ?? rest });
    }
  }
  const attributes = [...groups, ...extras];
  if (uid !== '') attributes.push({ resource: 'uids', name: uid, namespace: '', key: '' });
  if (user !== '') attributes.unshift(userAttribute(user));
  else if (attributes.length === 0) return undefined;
  else throw badRequest(describe(attributes));
  const full = impersonatedUser(attributes);
  const wanted = { name: user, uid, groups: groups.map(({ name }) => name), extra: full.extra };
  return { user: full, wanted, attributes, rawHeaders };
}

const kinds = {
  users: 'User',
  serviceaccounts: 'ServiceAccount',
  groups: 'Group',
  userextras: 'UserExtra',
  uids: 'UID',
};

const describeReferences: DescribeNobody = (attributes) =>
  `requested [${attributes.map(formatReference).join(' ')}] without impersonating a user`;

/** Describes attributes as Go prints a user.DefaultInfo. */
export const describeUserInfo: DescribeNobody = (attributes) => {
  const { uid, groups, extra } = userOf(attributes);
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`;
  const members = Object.keys(extra)
    .sort()
    .map((key) => `${quote(key)}:${list(extra[key] ?? [])}`);
  const info = [
    'Name:""',
    `UID:${quote(uid)}`,
    `Groups:${groups.length === 0 ? '[]string(nil)' : list(groups)}`,
    `Extra:map[string][]string${members.length === 0 ? '(nil)' : `{${members.join(', ')}}`}`,
  ];
  return `requested &user.DefaultInfo{${info.join(', ')}} without impersonating a user name`;
};

/** Formats an ObjectReference as Go prints it: kind, namespace, name, UID, apiVersion, resourceVersion, field path. */
function formatReference({ resource, namespace, name, key }: ImpersonatedAttribute): string {
  const apiVersion = resource === 'userextras' || resource === 'uids' ? 'authentication.k8s.io/v1' : '';
  return `{${[kinds[resource], namespace, name, '', apiVersion, '', key].join(' ')}}`;
}

/** Returns the namespace and name of a service account with this user name. (apiserver serviceaccount.SplitUsername) */
export function serviceAccountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const parts = user.startsWith(serviceAccountPrefix) ? user.slice(serviceAccountPrefix.length).split(':') : [];
  const [namespace = '', name = ''] = parts;
  const isValid = parts.length === 2 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

function userAttribute(user: string): ImpersonatedAttribute {
  const account = serviceAccountOf(user);
  if (account !== undefined) return { resource: 'serviceaccounts', ...account, key: '' };
  return { resource: 'users', name: user, namespace: '', key: '' };
}

/** Returns the user with the groups that follow from the name. */
function impersonatedUser(attributes: readonly ImpersonatedAttribute[]): UserInfo {
  const { name, uid, groups: given, extra } = userOf(attributes);
  const groups = [...given];
  if (name === anonymousUserName) {
    if (!groups.includes(unauthenticatedGroup)) groups.push(unauthenticatedGroup);
  } else if (!groups.includes(authenticatedGroup) && !groups.includes(unauthenticatedGroup)) {
    groups.push(authenticatedGroup);
  }
  return { name, uid, groups, extra };
}

function userOf(attributes: readonly ImpersonatedAttribute[]): UserInfo {
  let name = '';
  let uid = '';
  let groups: string[] = attributes.filter(({ resource }) => resource === 'groups').map((attribute) => attribute.name);
  const extra = new Map<string, string[]>();
  for (const attribute of attributes) {
    if (attribute.resource === 'users') name = attribute.name;
    if (attribute.resource === 'uids') uid = attribute.name;
    if (attribute.resource === 'userextras') extra.set(attribute.key, [...(extra.get(attribute.key) ?? []), attribute.name]);
    if (attribute.resource === 'serviceaccounts') {
      name = serviceAccountUserName(attribute.namespace, attribute.name);
      if (groups.length === 0) groups = serviceAccountGroups(attribute.namespace);
    }
  }
  return { name, uid, groups, extra: Object.fromEntries(extra) };
}
