import { percentDecode } from '../machinery/percent-decode.ts';

/** The parameters of a URL by name, each with its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const none: Query = new Map();

/**
 * Parses a query, without its `?`, as Go's url.ParseQuery does: `+` is a space. Skips pairs with a semicolon or an
 * invalid escape.
 */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  const query = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = decodeComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeComponent(pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const values = query.get(key);
    if (values) values.push(value);
    else query.set(key, [value]);
  }
  return query;
}

function decodeComponent(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return percentDecode(spaced);
}

/** Returns the first value of a parameter, or undefined for an absent one. */
export function queryValue(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}
