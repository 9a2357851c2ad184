import { percentDecode } from '../http/query-string.ts';
import { BoundedMap } from '../machinery/collections/bounded-map.ts';
import { dnsLabel, dnsSubdomain } from '../machinery/name-formats.ts';
import { badRequest } from '../machinery/status.ts';
import {
  anonymousUserName,
  authenticatedGroup,
  serviceAccountGroups,
  serviceAccountPrefix,
  serviceAccountUserName,
  type UserInfo,
  unauthenticatedGroup,
} from '../machinery/user-info.ts';

const prefix = 'impersonate-';
const extraPrefix = 'impersonate-extra-';

/** One thing to be, and where permission for it is looked up. */
export interface ImpersonatedAttribute {
  readonly resource: 'users' | 'serviceaccounts' | 'groups' | 'userextras' | 'uids';
  readonly name: string;
  readonly namespace: string;
  /** The key of an extra. */
  readonly key: string;
}

/** Somebody that a user wants to be. */
export interface Impersonation {
  readonly user: UserInfo;
  /** What the user needs permission for, in the order in which it is asked for. */
  readonly attributes: readonly ImpersonatedAttribute[];
  /** Names of the headers that said so, in lower case. */
  readonly headers: readonly string[];
  /** Names and values of these headers in turns, as they came. */
  readonly words: readonly string[];
}

/** Impersonations by the first value of their headers. */
const known = new BoundedMap<string, Impersonation>(512);

/**
 * Undefined where nothing is asked, which is the way of nearly every request: a look at the first letters. Who
 * impersonates does so with every request, in the same words. Headers are read as they came: Node joins those of one name
 * with commas, which a group may have.
 *
 * @throws StatusError 400
 */
export function parseImpersonation(rawHeaders: readonly string[]): Impersonation | undefined {
  let at = 0;
  while (at < rawHeaders.length && !isAbout(rawHeaders[at])) at += 2;
  if (at >= rawHeaders.length) return undefined;
  const first = rawHeaders[at + 1];
  const last = known.get(first);
  if (last !== undefined && saysTheSame(rawHeaders, at, last.words)) return last;
  const words: string[] = [];
  for (; at < rawHeaders.length; at += 2) if (isAbout(rawHeaders[at])) words.push(rawHeaders[at], rawHeaders[at + 1]);
  const found = read(words);
  if (found === undefined) return undefined;
  known.set(first, found);
  return found;
}

function isAbout(name: string): boolean {
  return name.length > prefix.length && (name.charCodeAt(0) | 0x20) === 0x69 && name.toLowerCase().startsWith(prefix);
}

function saysTheSame(rawHeaders: readonly string[], start: number, words: readonly string[]): boolean {
  let place = 0;
  for (let at = start; at < rawHeaders.length; at += 2) {
    if (!isAbout(rawHeaders[at])) continue;
    if (words[place] !== rawHeaders[at] || words[place + 1] !== rawHeaders[at + 1]) return false;
    place += 2;
  }
  return place === words.length;
}

/** @param words names and values in turns */
function read(words: readonly string[]): Impersonation | undefined {
  let user = '';
  let uid = '';
  const groups: ImpersonatedAttribute[] = [];
  const extras: ImpersonatedAttribute[] = [];
  const headers: string[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const header = words[at].toLowerCase();
    const name = words[at + 1];
    headers.push(header);
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
  if (user !== '') attributes.unshift(userWish(user));
  else if (attributes.length === 0) return undefined;
  else {
    throw badRequest(`requested [${attributes.map(asReference).join(' ')}] without impersonating a user`);
  }
  return { user: impersonated(attributes), attributes, headers, words };
}

const kinds = {
  users: 'User',
  serviceaccounts: 'ServiceAccount',
  groups: 'Group',
  userextras: 'UserExtra',
  uids: 'UID',
};

/** As Go prints an ObjectReference: kind, namespace, name, UID, apiVersion, resourceVersion, field path. */
function asReference({ resource, namespace, name, key }: ImpersonatedAttribute): string {
  const apiVersion = resource === 'userextras' || resource === 'uids' ? 'authentication.k8s.io/v1' : '';
  return `{${[kinds[resource], namespace, name, '', apiVersion, '', key].join(' ')}}`;
}

function userWish(user: string): ImpersonatedAttribute {
  const parts = user.startsWith(serviceAccountPrefix) ? user.slice(serviceAccountPrefix.length).split(':') : [];
  const [namespace, name = ''] = parts;
  if (parts.length === 2 && dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0) {
    return { resource: 'serviceaccounts', namespace, name, key: '' };
  }
  return { resource: 'users', name: user, namespace: '', key: '' };
}

function impersonated(attributes: readonly ImpersonatedAttribute[]): UserInfo {
  let name = '';
  let uid = '';
  let groups: string[] = attributes.filter(({ resource }) => resource === 'groups').map((wish) => wish.name);
  const extra = new Map<string, string[]>();
  for (const wish of attributes) {
    if (wish.resource === 'users') name = wish.name;
    if (wish.resource === 'uids') uid = wish.name;
    if (wish.resource === 'userextras') extra.set(wish.key, [...(extra.get(wish.key) ?? []), wish.name]);
    if (wish.resource === 'serviceaccounts') {
      name = serviceAccountUserName(wish.namespace, wish.name);
      if (groups.length === 0) groups = serviceAccountGroups(wish.namespace);
    }
  }
  if (name === anonymousUserName) {
    if (!groups.includes(unauthenticatedGroup)) groups.push(unauthenticatedGroup);
  } else if (!groups.includes(authenticatedGroup) && !groups.includes(unauthenticatedGroup)) {
    groups.push(authenticatedGroup);
  }
  return { name, uid, groups, extra: Object.fromEntries(extra) };
}
