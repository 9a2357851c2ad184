/** Parameters of a URL by name, each with its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const none: Query = new Map();

/**
 * Reads what follows the `?` as Go's url.ParseQuery does: `+` is a space; a pair with a semicolon or a bad escape is
 * left out, the others count.
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

/** Decodes %XX; bytes that are not UTF-8 become U+FFFD. Undefined for an escape that is cut short or not hexadecimal. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return /%(?![0-9a-fA-F]{2})/.test(text) ? undefined : decodeBytes(Buffer.from(text, 'utf8'));
  }
}

/** In place; every escape is a good one. */
function decodeBytes(bytes: Buffer): string {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === 0x25;
    bytes[length++] = isEscape ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : bytes[at];
    if (isEscape) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

/** Of `0-9a-fA-F`: letters have the bit of 64 set and count from one. */
const hexDigit = (code: number): number => (code & 15) + (code & 64 ? 9 : 0);

/** The first value of a parameter; undefined when the URL does not have it. */
export function firstOf(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}
