import { htmlSafe } from '../machinery/json/html-safe.ts';
import { closingQuote } from '../machinery/json/skip.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import type { Json } from '../machinery/object.ts';

/** Returns a valid JSON text as a value whose strings, numbers and booleans are the texts that they were written as. */
export function scalarTexts(json: string): Json {
  let quoted = '';
  let copied = 0;
  for (let at = 0; at < json.length; ) {
    const end = tokenEnd(json, at);
    if (isScalar(json, at, end)) {
      quoted += json.slice(copied, at) + JSON.stringify(json.slice(at, end));
      copied = end;
    }
    at = end;
  }
  return JSON.parse(quoted + json.slice(copied));
}

/** Ends the string, the number or word, or the single character that begins here. */
function tokenEnd(json: string, start: number): number {
  if (json[start] === '"') return closingQuote(json, start) + 1;
  const word = /[\w.+-]+/y;
  word.lastIndex = start;
  return word.test(json) ? word.lastIndex : start + 1;
}

function isScalar(json: string, start: number, end: number): boolean {
  if (json[start] !== '"') return /[\w-]/.test(json[start]) && json.slice(start, end) !== 'null';
  const next = /\s*:/y;
  next.lastIndex = end;
  return !next.test(json);
}

/**
 * Returns true if a value would be written as these texts. `test` of a JSON patch compares so: 5.0 is not 5, and an escape is
 * not its character. (evanphx/json-patch v4 lazyNode.equal)
 */
export function isWrittenAs(value: Json, texts: Json | undefined): boolean {
  if (value === null || texts === null || texts === undefined) return value === (texts ?? null);
  if (Array.isArray(value)) {
    return (
      Array.isArray(texts) && texts.length === value.length && value.every((item, i) => isWrittenAs(item, texts[i]))
    );
  }
  if (isJsonObject(value)) {
    if (!isJsonObject(texts)) return false;
    const names = Object.keys(value);
    return (
      names.length === Object.keys(texts).length &&
      names.every((name) => Object.hasOwn(texts, name) && isWrittenAs(value[name], texts[name]))
    );
  }
  return texts === (typeof value === 'string' ? htmlSafe(JSON.stringify(value)) : String(value));
}
