import { isUtf8 } from 'node:buffer';
import { excerpt } from '../errors/excerpt.ts';
import { maxExcerptLength } from '../limits.ts';

/** Text that needs no escapes: printable ASCII without `"` and `\`. */
const plain = /^[ !#-[\]-~]*$/;

/** Quotes a string as Go's %q does. Printable text stays, the rest is escaped. (strconv.Quote) */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (char === '"' || char === '\\') out += `\\${char}`;
    else if (code === 0x0a) out += '\\n';
    else if (code === 0x0d) out += '\\r';
    else if (code === 0x09) out += '\\t';
    else if (code === 0x07) out += '\\a';
    else if (code === 0x08) out += '\\b';
    else if (code === 0x0b) out += '\\v';
    else if (code === 0x0c) out += '\\f';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (/\p{L}|\p{M}|\p{N}|\p{P}|\p{S}| /u.test(char)) out += char;
    else if (code > 0xffff) out += `\\U${code.toString(16).padStart(8, '0')}`;
    else out += `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return `${out}"`;
}

/** Quotes bytes as Go's %q does: bytes that are not UTF-8 are escaped. A long text is cut. */
export function quoteBytes(bytes: Uint8Array): string {
  const shown = bytes.subarray(0, maxExcerptLength);
  let out = '';
  for (let at = 0; at < shown.length; ) {
    const size = [1, 2, 3, 4].find((size) => at + size <= shown.length && isUtf8(shown.subarray(at, at + size)));
    if (size === undefined) out += `\\x${(shown[at] ?? 0).toString(16).padStart(2, '0')}`;
    else out += quote(Buffer.from(shown.subarray(at, at + size)).toString('utf8')).slice(1, -1);
    at += size ?? 1;
  }
  return `"${out}"${shown.length < bytes.length ? `... (${bytes.length} bytes)` : ''}`;
}

/** Quotes a string for a message. A long string is cut: `"aaa"... (1048576 bytes)`. */
export const quoteExcerpt = (text: string): string => excerpt(text, maxExcerptLength, quote);
