const simple: ReadonlyMap<string, number> = new Map(
  Object.entries({
    a: 0x07,
    b: 0x08,
    f: 0x0c,
    n: 0x0a,
    r: 0x0d,
    t: 0x09,
    v: 0x0b,
    '\\': 0x5c,
    "'": 0x27,
    '"': 0x22,
    '`': 0x60,
    '?': 0x3f,
  }),
);

/** Returns the text between the quotes, and whether it is a raw string. */
function unquote(literal: string): { body: string; raw: boolean } {
  let text = literal.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const raw = text[0] === 'r' || text[0] === 'R';
  if (raw) text = text.slice(1);
  const width = text.length >= 6 && (text.startsWith('"""') || text.startsWith("'''")) ? 3 : 1;
  return { body: text.slice(width, text.length - width), raw };
}

const sequence = /\\(?:([abfnrtv\\'"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/g;

/** Returns the value of a string literal; undefined if an escape is not a valid code point. (cel-go parser/unescape.go) */
export function unescapeString(literal: string): string | undefined {
  const { body, raw } = unquote(literal);
  if (raw || !body.includes('\\')) return body;
  let valid = true;
  const text = body.replace(sequence, (_match, ...groups) => {
    const [char, hex, short, long, octal] = groups;
    if (char !== undefined) return String.fromCharCode(simple.get(char) ?? char.charCodeAt(0));
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      valid = false;
      return '';
    }
    return String.fromCodePoint(code);
  });
  return valid ? text : undefined;
}

/** Returns the value of a `b"..."` literal; undefined if it has a \u escape, which bytes must not have. */
export function unescapeBytes(literal: string): Uint8Array | undefined {
  const { body, raw } = unquote(literal.slice(1));
  if (raw || !body.includes('\\')) return new Uint8Array(Buffer.from(body));
  const parts: Buffer[] = [];
  let last = 0;
  for (const match of body.matchAll(sequence)) {
    const [whole, char, hex, short, long, octal] = match;
    if (short !== undefined || long !== undefined) return undefined;
    parts.push(Buffer.from(body.slice(last, match.index)));
    const code =
      char !== undefined ? (simple.get(char) ?? char.charCodeAt(0)) : Number.parseInt(hex ?? octal ?? '', hex === undefined ? 8 : 16);
    parts.push(Buffer.from([code]));
    last = match.index + whole.length;
  }
  parts.push(Buffer.from(body.slice(last)));
  return new Uint8Array(Buffer.concat(parts));
}
