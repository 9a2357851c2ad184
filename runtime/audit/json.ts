import { htmlSafe } from '../machinery/json/html-safe.ts';
import type { UserInfo } from '../machinery/user-info.ts';

/** Matches text that needs no escapes in JSON. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/** Returns a value in Go's JSON. (encoding/json) */
export const jsonValue = (value: unknown): string => htmlSafe(JSON.stringify(value));

/** Returns the jsonValue of a string, faster for most strings. */
export const jsonText = (text: string): string => (plain.test(text) ? `"${text}"` : jsonValue(text));

/** Returns the members that are not empty, as Go's `omitempty`: `"a":"b","c":"d"`. */
export function nonEmptyMembers(members: readonly (readonly [name: string, value: string])[]): string {
  let json = '';
  for (const [name, value] of members) {
    if (value !== '') json += json === '' ? `"${name}":${jsonText(value)}` : `,"${name}":${jsonText(value)}`;
  }
  return json;
}

let second = Number.NaN;
let secondText = '';

/** Returns `2008-01-01T01:01:01.000000Z`. @param milliseconds since the epoch */
export function microTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000);
  if (whole !== second) {
    second = whole;
    secondText = new Date(whole * 1000).toISOString().slice(0, -4);
  }
  return `${secondText}${String(Math.floor(milliseconds - whole * 1000)).padStart(3, '0')}000Z`;
}

/** Returns an object with its members sorted by name, as Go writes maps. */
export function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const usersJson = new WeakMap<UserInfo, string>();

/** (authentication.k8s.io/v1 UserInfo) */
export function userJson(user: UserInfo): string {
  let json = usersJson.get(user);
  if (json === undefined) {
    const { name, uid, groups, extra } = user;
    json = jsonValue({
      username: name || undefined,
      uid: uid || undefined,
      groups: groups.length === 0 ? undefined : groups,
      extra: Object.keys(extra).length === 0 ? undefined : sorted(Object.entries(extra)),
    });
    usersJson.set(user, json);
  }
  return json;
}
