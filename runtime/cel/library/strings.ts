import { declare, type FunctionDecl, global, type Library, member } from '../check/declarations.ts';
import { dynType, intType, listOf, stringType, type Type } from '../types/type.ts';
import { type CelList, elements, ValueList } from '../values/list.ts';
import { showValue } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';
import { type FormatDialect, formatString } from './format-string.ts';

type Text = (...args: never[]) => Value;

const outOfRange = (index: number | bigint): CelError => new CelError(`index out of range: ${index}`);

/** Strings are sequences of code points. */
function charAt(text: string, index: number): Value {
  const runes = [...text];
  if (index < 0 || index > runes.length) return outOfRange(index);
  return runes[index] ?? '';
}

function indexOf(text: string, part: string, offset: number): Value {
  if (part === '') return offset;
  if (offset < 0) return outOfRange(offset);
  const runes = [...text];
  const wanted = [...part];
  for (let i = offset; i + wanted.length <= runes.length; i++) {
    if (wanted.every((rune, j) => runes[i + j] === rune)) return i;
  }
  return -1;
}

function lastIndexOf(text: string, part: string, offset?: number): Value {
  const runes = [...text];
  if (part === '') return offset ?? runes.length;
  const wanted = [...part];
  const from = offset ?? runes.length - 1;
  if (offset !== undefined && offset < 0) return outOfRange(offset);
  if (from >= runes.length) return -1;
  for (let i = Math.min(from, runes.length - wanted.length); i >= 0; i--) {
    if (wanted.every((rune, j) => runes[i + j] === rune)) return i;
  }
  return -1;
}

/** At most `limit` replacements; all where it is negative. An empty part matches between all code points. */
function replace(text: string, part: string, by: string, limit: number): Value {
  if (limit < 0 && part !== '') return text.replaceAll(part, () => by);
  if (limit === 0) return text;
  if (part === '') {
    const runes = [...text];
    const count = limit < 0 ? runes.length + 1 : Math.min(limit, runes.length + 1);
    return runes.map((rune, i) => (i < count ? by + rune : rune)).join('') + (count > runes.length ? by : '');
  }
  let left = limit;
  let rest = text;
  let out = '';
  for (let at = rest.indexOf(part); at >= 0 && left > 0; at = rest.indexOf(part)) {
    out += rest.slice(0, at) + by;
    rest = rest.slice(at + part.length);
    left--;
  }
  return out + rest;
}

/** At most `limit` parts, the last one holding the rest; all where it is negative. */
function split(text: string, separator: string, limit: number): Value {
  if (limit === 0) return new ValueList([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return new ValueList(parts);
  return new ValueList([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]);
}

function substring(text: string, start: number, end?: number): Value {
  const runes = [...text];
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0 || start > runes.length) return outOfRange(start);
  if (end !== undefined && (end < 0 || end > runes.length)) return outOfRange(end);
  return runes.slice(start, end).join('');
}

function join(list: CelList, separator: string): Value {
  const texts: string[] = [];
  for (const item of elements(list)) {
    if (typeof item !== 'string') return new CelError(`join: invalid input: ${showValue(item)}`);
    texts.push(item);
  }
  return texts.join(separator);
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

/** Lone surrogates become U+FFFD, as Go writes what is no code point. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

const quote = (text: string): string => `"${[...wellFormed(text)].map((char) => quotes[char] ?? char).join('')}"`;

/** Go's strings.TrimSpace. */
const trim = (text: string): string => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');

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

/** The extended string functions of a version; 2 is Kubernetes'. (cel-go ext/strings.go) */
export function stringsLibrary(version: 2 | 4): Library {
  const dialect: FormatDialect = version === 2 ? 'localized' : 'plain';
  const functions: FunctionDecl[] = [
    text('charAt', [['string_char_at_int', [s, i], s, charAt]]),
    text('indexOf', [
      ['string_index_of_string', [s, s], i, (own: string, part: string) => indexOf(own, part, 0)],
      ['string_index_of_string_int', [s, s, i], i, indexOf],
    ]),
    text('lastIndexOf', [
      ['string_last_index_of_string', [s, s], i, (own: string, part: string) => lastIndexOf(own, part)],
      ['string_last_index_of_string_int', [s, s, i], i, lastIndexOf],
    ]),
    text('lowerAscii', [['string_lower_ascii', [s], s, lower]]),
    text('upperAscii', [['string_upper_ascii', [s], s, upper]]),
    text('replace', [
      ['string_replace_string_string', [s, s, s], s, (own: string, a: string, b: string) => replace(own, a, b, -1)],
      ['string_replace_string_string_int', [s, s, s, i], s, replace],
    ]),
    text('split', [
      ['string_split_string', [s, s], texts, (own: string, separator: string) => split(own, separator, -1)],
      ['string_split_string_int', [s, s, i], texts, split],
    ]),
    text('substring', [
      ['string_substring_int', [s, i], s, substring],
      ['string_substring_int_int', [s, i, i], s, substring],
    ]),
    text('trim', [['string_trim', [s], s, trim]]),
    text('format', [
      ['string_format', [s, listOf(dynType)], s, (own: string, args: CelList) => formatString(own, args, dialect)],
    ]),
    declare('strings.quote', [global('strings_quote', [s], s, (own) => quote(own as string))]),
    text('join', [
      ['list_join', [texts], s, (list: CelList) => join(list, '')],
      ['list_join_string', [texts, s], s, join],
    ]),
  ];
  if (version > 2) {
    functions.push(text('reverse', [['string_reverse', [s], s, (own: string) => [...own].reverse().join('')]]));
  }
  return { name: 'cel.lib.ext.strings', functions };
}
