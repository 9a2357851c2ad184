import { closingQuote } from '../../machinery/json/skip.ts';

/**
 * Indents compact JSON by two spaces, as Go's json.MarshalIndent. Numbers keep every digit because nothing is decoded.
 */
export function prettyJson(compact: Uint8Array): Buffer {
  const text = Buffer.from(compact.buffer, compact.byteOffset, compact.byteLength).toString('utf8');
  let out = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    switch (char) {
      case '"': {
        const end = closingQuote(text, at) + 1;
        out += text.slice(at, end);
        at = end - 1;
        break;
      }
      case '{':
      case '[':
        if (text[at + 1] === '}' || text[at + 1] === ']') {
          out += char + text[++at];
        } else {
          out += `${char}\n${'  '.repeat(++depth)}`;
        }
        break;
      case '}':
      case ']':
        out += `\n${'  '.repeat(--depth)}${char}`;
        break;
      case ',':
        out += `,\n${'  '.repeat(depth)}`;
        break;
      case ':':
        out += ': ';
        break;
      case '\n':
        break;
      default:
        out += char;
    }
  }
  return Buffer.from(out);
}
