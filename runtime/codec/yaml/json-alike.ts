import { isAscii, isUtf8 } from 'node:buffer';

/** A key's colon may be so far behind its beginning. */
const maxKey = 1024;
/** Longest run of digits whose number no format writes in another way. */
const safeDigits = 15;

/** Characters beyond ASCII that YAML takes for line breaks, or refuses. */
const unlike = /[\x7f-\x9f\u2028\u2029\ufffe\uffff]/;

/**
 * Whether go-yaml would read the same from a text as a JSON parser, if that is the text of a JSON object. YAML is no
 * superset: `\/` and escaped surrogates are unknown to it, a key is on one line with its colon and is not long, white
 * space before and after has no tabs; and numbers may become others. Where that is not plain to see, the answer is no.
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
    } else if (c >= 0x30 && c <= 0x39) {
      const start = at;
      while (bytes[at] >= 0x30 && bytes[at] <= 0x39) at++;
      if (at - start >= safeDigits || (bytes[at] | 0x20) === 0x65) return false;
    }
  }
  return lastTab < lastBrace;
}

/** @param at where the letter is */
function isKnownEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== 0x75) return bytes[at] !== 0x2f;
  return (bytes[at + 1] | 0x20) !== 0x64 || (bytes[at + 2] >= 0x30 && bytes[at + 2] <= 0x37);
}
