/** The parameters of a URL by name, each with its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const none: Query = new Map();

/**
 * Parses a query, without its `?`, as Go's url.ParseQuery does: `+` is a space, and a pair with a semicolon or a bad escape
 * is skipped.
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

/** Decodes %XX. Bytes that are not UTF-8 become U+FFFD. Returns undefined for an escape that is incomplete or not hexadecimal. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return /%(?![0-9a-fA-F]{2})/.test(text) ? undefined : decodeBytes(Buffer.from(text, 'utf8'));
  }
}

/** Decodes in place. Every escape must be valid. */
function decodeBytes(bytes: Buffer): string {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === 0x25;
    bytes[length++] = isEscape ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : bytes[at];
    if (isEscape) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** The value of a hexadecimal digit: letters have bit 64 set, and count from one. */
const hexDigit = (code: number): number => (code & 15) + (code & 64 ? 9 : 0);

/** Returns the first value of a parameter, or undefined if the URL does not have it. */
export function queryValue(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}
