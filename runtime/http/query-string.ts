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
    if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
    const latin = Buffer.from(text, 'utf8').toString('latin1');
    const bytes = latin.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
}

/** The first value of a parameter; undefined when the URL does not have it. */
export function firstOf(query: Query, name: string): string | undefined {
  return query.get(name)?.[0];
}
