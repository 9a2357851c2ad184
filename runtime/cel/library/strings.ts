import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { dynType, intType, listOf, stringType, type Type } from '../types/type.ts';
import { elements, ValueList } from '../values/list.ts';
import * as runes from '../values/runes.ts';
import { runeCount, unitIndex } from '../values/runes.ts';
import { findFirst, findLast } from '../values/search.ts';
import { formatValue } from '../values/types.ts';
import { CelError, type CelList, type Value } from '../values/value.ts';
import { type FormatDialect, formatString } from './format-string.ts';

type Text = (...args: never[]) => Value;

/**
 * The maximum length of a result in UTF-16 units. The cost limit of an expression does not allow to read longer ones.
 */
const maxLength = 16_000_000;
const tooLong = new CelError('the text is too long');

const outOfRange = (index: number | bigint): CelError => new CelError(`index out of range: ${index}`);

function charAt(text: string, index: number): Value {
  if (index < 0 || index > runeCount(text)) return outOfRange(index);
  const code = text.codePointAt(unitIndex(text, index));
  return code === undefined ? '' : String.fromCodePoint(code);
}

function indexOf(text: string, part: string, offset: number): Value {
  if (part === '') return offset;
  if (offset < 0) return outOfRange(offset);
  if (offset >= runeCount(text)) return -1;
  const unit = findFirst(text, part, unitIndex(text, offset));
  return unit < 0 ? -1 : runes.indexOf(text, unit);
}

function lastIndexOf(text: string, part: string, offset?: number): Value {
  const size = runeCount(text);
  if (part === '') return offset ?? size;
  const from = offset ?? size - 1;
  if (offset !== undefined && offset < 0) return outOfRange(offset);
  if (from < 0 || from >= size) return -1;
  const unit = findLast(text, part, unitIndex(text, from));
  return unit < 0 ? -1 : runes.indexOf(text, unit);
}

/** Replaces at most `limit` occurrences, or all if it is negative. An empty part matches between all code points. */
function replace(text: string, part: string, by: string, limit: number): Value {
  if (limit === 0) return text;
  const pieces = part === '' ? ['', ...text, ''] : cut(text, part, limit);
  const count = limit < 0 ? pieces.length - 1 : Math.min(limit, pieces.length - 1);
  if (text.length + count * (by.length - part.length) > maxLength) return tooLong;
  if (count === pieces.length - 1) return pieces.join(by);
  return pieces.slice(0, count).join(by) + by + pieces.slice(count).join(part);
}

/** Splits the text at the first `limit` occurrences of the part, or at all if it is negative. */
function cut(text: string, part: string, limit: number): string[] {
  if (limit < 0 && part.length < 128) return text.split(part);
  const pieces: string[] = [];
  let done = 0;
  for (let at = findFirst(text, part, 0); at >= 0 && pieces.length !== limit; at = findFirst(text, part, done)) {
    pieces.push(text.slice(done, at));
    done = at + part.length;
  }
  pieces.push(text.slice(done));
  return pieces;
}

/** Splits into at most `limit` parts, or into all if it is negative. The last part is the remainder. */
function split(text: string, separator: string, limit: number): Value {
  if (limit === 0) return new ValueList([]);
  if (separator !== '') return new ValueList(cut(text, separator, limit < 0 ? limit : limit - 1));
  const parts = [...text];
  if (limit < 0 || parts.length <= limit) return new ValueList(parts);
  return new ValueList([...parts.slice(0, limit - 1), parts.slice(limit - 1).join('')]);
}

function substring(text: string, start: number, end?: number): Value {
  const size = runeCount(text);
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > size) return outOfRange(start);
  if (end !== undefined && (end < 0 || end > size)) return outOfRange(end);
  return text.slice(unitIndex(text, start), end === undefined ? text.length : unitIndex(text, end));
}

function join(list: CelList, separator: string): Value {
  const texts: string[] = [];
  let length = 0;
  for (const item of elements(list)) {
    if (typeof item !== 'string') return new CelError(`join: invalid input: ${formatValue(item)}`);
    texts.push(item);
    length += item.length + separator.length;
  }
  return length > maxLength ? tooLong : texts.join(separator);
}

const quotes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Replaces lone surrogates by U+FFFD, as Go does. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

const quote = (text: string): string => `"${wellFormed(text).replace(/[\p{Cc}\\"]/gu, (char) => quotes[char] ?? char)}"`;

/** Trims white space as Go's strings.TrimSpace does. */
function trim(text: string): string {
  const space = /\p{White_Space}/u;
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const lower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

const s = stringType;
const i = intType;
const texts = listOf(stringType);

function text(name: string, overloads: readonly [string, readonly Type[], Type, Text][]): FunctionDecl {
  return declare(
    name,
    overloads.map(([id, params, result, call]) => member(id, params, result, call as (...args: Value[]) => Value)),
  );
}

/** The extended string functions. Kubernetes uses version 2. (cel-go ext/strings.go) */
export function stringsLibrary(version: 2 | 4): Library {
  const dialect: FormatDialect = version === 2 ? 'localized' : 'plain';
  const functions: FunctionDecl[] = [
    text('charAt', [['string_char_at_int', [s, i], s, charAt]]),
    text('indexOf', [
      ['string_index_of_string', [s, s], i, (text: string, part: string) => indexOf(text, part, 0)],
      ['string_index_of_string_int', [s, s, i], i, indexOf],
    ]),
    text('lastIndexOf', [
      ['string_last_index_of_string', [s, s], i, (text: string, part: string) => lastIndexOf(text, part)],
      ['string_last_index_of_string_int', [s, s, i], i, lastIndexOf],
    ]),
    text('lowerAscii', [['string_lower_ascii', [s], s, lower]]),
    text('upperAscii', [['string_upper_ascii', [s], s, upper]]),
    text('replace', [
      ['string_replace_string_string', [s, s, s], s, (text: string, a: string, b: string) => replace(text, a, b, -1)],
      ['string_replace_string_string_int', [s, s, s, i], s, replace],
    ]),
    text('split', [
      ['string_split_string', [s, s], texts, (text: string, separator: string) => split(text, separator, -1)],
      ['string_split_string_int', [s, s, i], texts, split],
    ]),
    text('substring', [
      ['string_substring_int', [s, i], s, substring],
      ['string_substring_int_int', [s, i, i], s, substring],
    ]),
    text('trim', [['string_trim', [s], s, trim]]),
    text('format', [['string_format', [s, listOf(dynType)], s, (text: string, args: CelList) => formatString(text, args, dialect)]]),
    declare('strings.quote', [global('strings_quote', [s], s, (text) => quote(text as string))]),
    text('join', [
      ['list_join', [texts], s, (list: CelList) => join(list, '')],
      ['list_join_string', [texts, s], s, join],
    ]),
  ];
  if (version > 2) {
    functions.push(text('reverse', [['string_reverse', [s], s, (text: string) => [...text].reverse().join('')]]));
  }
  return { name: 'cel.lib.ext.strings', functions };
}
