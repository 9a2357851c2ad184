import { htmlSafe } from '../machinery/json/html-safe.ts';
import { closingQuote } from '../machinery/json/skip.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import type { Json } from '../machinery/object.ts';

/**
 * Returns the first items of a list, at least one. Their strings, numbers and booleans are replaced by their JSON
 * texts: `[{"a":5.0}]` becomes `[{"a":"5.0"}]`.
 *
 * @param json valid, a list whose first `count` items are objects
 */
export function scalarTexts(json: string, count: number): Json {
  let quoted = '';
  let copied = 0;
  let depth = 0;
  let left = count;
  for (let at = 0; left > 0 && at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) depth++;
    else if (char === 0x7d || char === 0x5d) {
      if (--depth === 1) left--;
    } else if (char === 0x22 || isWord(char)) {
      const start = at;
      if (char === 0x22) at = closingQuote(json, start);
      else while (isWord(json.charCodeAt(at + 1))) at++;
      if (char === 0x6e || (char === 0x22 && isKey(json, at + 1))) continue;
      quoted += json.slice(copied, start) + JSON.stringify(json.slice(start, at + 1));
      copied = at + 1;
    }
    if (left === 0) quoted += json.slice(copied, at + 1);
  }
  return JSON.parse(`${quoted}]`);
}

/** Reports whether a character outside of strings belongs to a number or a word. */
const isWord = (char: number): boolean =>
  (char >= 0x30 && char <= 0x39) || (char >= 0x61 && char <= 0x7a) || char === 0x2d || char === 0x2b || char === 0x2e || char === 0x45;

/** @param end the index after a string */
function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 0x20) at++;
  return json.charCodeAt(at) === 0x3a;
}

/**
 * Reports whether a value would be written as these texts. `test` of a JSON patch compares this way: 5.0 is not 5, and
 * an escape is not its character. (evanphx/json-patch v4 lazyNode.equal)
 */
export function isWrittenAs(value: Json, texts: Json | undefined): boolean {
  if (value === null || texts === null || texts === undefined) return value === (texts ?? null);
  if (Array.isArray(value)) {
    return Array.isArray(texts) && texts.length === value.length && value.every((item, i) => isWrittenAs(item, texts[i]));
  }
  if (isJsonObject(value)) {
    if (!isJsonObject(texts)) return false;
    const members = Object.entries(value);
    return (
      members.length === Object.keys(texts).length &&
      members.every(([name, member]) => Object.hasOwn(texts, name) && isWrittenAs(member, texts[name]))
    );
  }
  return texts === (typeof value === 'string' ? htmlSafe(JSON.stringify(value)) : String(value));
}
