import { maxExcerptLength } from '../limits.ts';

const asItIs = (text: string): string => text;

/**
 * Shortens a text for a message. A long text is cut and its length added: `aaa... (1048576 bytes)`.
 *
 * @param form applied to the part that is kept, for instance to quote it
 */
export function excerpt(text: string, limit = maxExcerptLength, form = asItIs): string {
  if (text.length <= limit) return form(text);
  // do not cut a surrogate pair
  const end = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800 ? limit - 1 : limit;
  return `${form(text.slice(0, end))}... (${Buffer.byteLength(text)} bytes)`;
}
