import { maxExcerptLength } from '../limits.ts';

const asItIs = (text: string): string => text;

/**
 * A text as messages repeat it: whole, or its beginning and how long it is, `aaa... (1048576 bytes)`.
 *
 * @param form what is made of the text that is repeated, as quotes around it
 */
export function excerpt(text: string, limit = maxExcerptLength, form = asItIs): string {
  if (text.length <= limit) return form(text);
  // half a character is none
  const end = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800 ? limit - 1 : limit;
  return `${form(text.slice(0, end))}... (${Buffer.byteLength(text)} bytes)`;
}
