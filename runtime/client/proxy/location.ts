import type { Query } from '../../http/query-string.ts';

/** Escapes that encodeURIComponent makes and Go's EscapedPath does not. */
const keptInPath = /%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g;
/** Characters that Go escapes and encodeURIComponent does not. */
const escapedByGo = /[!'()*]/g;

const escapeChar = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/** Escapes a path as Go does. (net/url EscapedPath) */
export function escapePath(path: string): string {
  if (/^[A-Za-z0-9\-_.~/]*$/.test(path)) return path;
  return encodeURIComponent(path)
    .replace(escapedByGo, escapeChar)
    .replace(keptInPath, (escaped) => decodeURIComponent(escaped));
}

/** Encodes a query as Go does, sorted by name, with a leading `?` unless it is empty. (net/url Values.Encode) */
export function encodeQuery(query: Query): string {
  if (query.size === 0) return '';
  const names = [...query.keys()].sort();
  const pairs = names.flatMap((name) => (query.get(name) ?? []).map((value) => `${escapeQuery(name)}=${escapeQuery(value)}`));
  return `?${pairs.join('&')}`;
}

function escapeQuery(text: string): string {
  return encodeURIComponent(text).replace(escapedByGo, escapeChar).replaceAll('%20', '+');
}
