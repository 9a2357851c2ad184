import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './json-bytes.ts';
import { unsuited } from './unsuited.ts';

/** Returns the position after the object that begins at `start`: valueEnd with less to look for. @throws unsuited */
export function objectEnd(json: Uint8Array, start: number): number {
  const { length } = json;
  let depth = 0;
  let at = start;
  if (json[at] !== openBrace) throw unsuited;
  for (; at < length; at++) {
    const byte = json[at];
    if (byte === quote) {
      for (at++; at < length && json[at] !== quote; at++) if (json[at] === backslash) at++;
    } else if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return at + 1;
  }
  throw unsuited;
}

/** Returns the position after the value that begins at `start`. @throws unsuited */
export function valueEnd(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      at = stringEnd(json, at + 1);
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      // the end of the struct or list behind a number
      if (depth === 0) at--;
      else depth--;
    } else if (byte !== comma || depth > 0) {
      const following = json[at + 1];
      const isEnd = following === comma || following === closeBrace || following === closeBracket;
      if (!isEnd) continue;
    }
    if (depth === 0) return at + 1;
  }
  throw unsuited;
}

/** Returns the position of the quote that ends the string whose content begins at `start`. @throws unsuited */
export function stringEnd(json: Uint8Array, start: number): number {
  for (let at = start; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  throw unsuited;
}
