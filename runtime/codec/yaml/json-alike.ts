import { isAscii, isUtf8 } from 'node:buffer';

/** The maximum distance from the beginning of a key to its colon. */
const maxKey = 1024;
/** The maximum number of digits that all encodings print alike. */
const safeDigits = 15;

/** Non-ASCII characters that YAML reads as line breaks or rejects. */
const unlike = /[\x7f-\x9f\u2028\u2029\ufffe\uffff]/;

/**
 * Reports whether go-yaml would read the text of a JSON object as a JSON parser does. YAML is not a superset of JSON:
 * it has no `\/` and no escaped surrogates, a key must be short and on one line with its colon, there are no tabs
 * before and after the document, and some numbers differ. Returns false in doubtful cases.
 */
export function readsLikeJson(bytes: Buffer): boolean {
  if (!isAscii(bytes) && (!isUtf8(bytes) || unlike.test(bytes.toString('utf8')))) return false;
  const { length } = bytes;
  let at = 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  if (bytes[at] !== 0x7b) return false;
  let keyStart = -1;
  let lastTab = -1;
  let lastBrace = -1;
  while (at < length) {
    const c = bytes[at++];
    if (c === 0x22) {
      keyStart = at;
      for (;;) {
        const inside = bytes[at++];
        if (inside === 0x22) break;
        if (inside === 0x5c) {
          if (!isKnownEscape(bytes, at)) return false;
          at++;
        } else if (inside === undefined || inside === 0x7f) return false;
      }
    } else if (c === 0x3a) {
      if (keyStart < 0 || at - keyStart > maxKey) return false;
    } else if (c === 0x0a || c === 0x0d) keyStart = -1;
    else if (c === 0x7d) lastBrace = at;
    else if (c === 0x09) lastTab = at;
    else if (c === 0x2d) {
      if (bytes[at] === 0x30) return false;
    } else if (isDigit(c)) {
      const start = at;
      while (isDigit(bytes[at])) at++;
      if (at - start >= safeDigits || ((bytes[at] ?? 0) | 0x20) === 0x65) return false;
    }
  }
  return lastTab < lastBrace;
}

/** @param at the index of the escape's letter */
function isKnownEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== 0x75) return bytes[at] !== 0x2f;
  const [second = 0, third = 0] = bytes.subarray(at + 1, at + 3);
  return (second | 0x20) !== 0x64 || (third >= 0x30 && third <= 0x37);
}

/** True for ASCII digits, false past the end. */
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
