import { excerpt } from '../errors/excerpt.ts';
import { Float64 } from '../json/float64.ts';
import { maxExcerptLength } from '../limits.ts';
import { quoteExcerpt } from './quote.ts';

/**
 * A value that Go prints as a struct with all its members. A message may show more of it than of other values. The
 * struct is made when it is printed, as in Go.
 */
export class GoStruct {
  readonly value: () => object;

  constructor(value: () => object) {
    this.value = value;
  }
}

/** A text behind a pointer, or of a named Go type. Go prints it as json.Marshal writes it: `<` as \u003c. */
export class GoPointer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Formats a value as Go's error messages do: strings quoted, other scalars as %v, structs and lists as json.Marshal
 * writes them. A long value is cut: `"aaa"... (1048576 bytes)`, `[{"name":"a"},{"na... (10000 items)`.
 *
 * @param structLimit the length of a GoStruct that is shown
 */
export function goValue(value: unknown, structLimit = maxExcerptLength): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quoteExcerpt(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Float64) return goNumber(value);
  if (value instanceof GoPointer) return excerpt(value.text, maxExcerptLength, goText);
  return value instanceof GoStruct ? goJson(value.value(), structLimit) : goJson(value, maxExcerptLength);
}

/** JSON with Go's indentation of one space. (json.MarshalIndent) */
export const prettyJson = (value: unknown): string => escapeHtml(indented(value, '\n'));

/** JSON of a value, behind a line break with its indentation. JSON.stringify refuses integers that are no doubles. */
function indented(value: unknown, line: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Float64) return JSON.stringify(value) ?? 'null';
  const inner = `${line} `;
  if (Array.isArray(value))
    return enclosed(
      '[',
      value.map((item) => indented(item, inner)),
      ']',
      line,
    );
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return enclosed(
    '{',
    members.map(([name, member]) => `${JSON.stringify(name)}: ${indented(member, inner)}`),
    '}',
    line,
  );
}

const enclosed = (opening: string, parts: readonly string[], closing: string, line: string): string =>
  parts.length === 0 ? `${opening}${closing}` : `${opening}${line} ${parts.join(`,${line} `)}${line}${closing}`;

const escapeHtml = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, escaped);

function goJson(value: object, limit: number): string {
  const json = new JsonBeginning(limit);
  json.write(value);
  const text = escapedForHtml(json.text.slice(0, limit));
  if (json.text.length <= limit) return text;
  return `${text}... (${Array.isArray(value) ? `${value.length} items` : `${Object.keys(value).length} members`})`;
}

const escapedForHtml = (json: string): string => json.replace(/[<>&\u2028\u2029]/g, escaped);
const goText = (text: string): string => escapedForHtml(JSON.stringify(text));

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Formats a number as Go's %v. A whole number within int64 is an integer with all its digits. A float has an exponent
 * of at least two digits from 1e+06 on and below 1e-04.
 *
 * @param float the number is a float64 in Go even if it is whole
 */
export function goNumber(value: number | bigint | Float64, float = false): string {
  if (value instanceof Float64) return goNumber(value.value, true);
  if (typeof value === 'bigint' || !Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return float ? '-0' : '0';
  if (value === 0 || (!float && Number.isSafeInteger(value))) return String(value);
  const [mantissa, power] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** JSON.stringify that stops shortly after the shown part, and prints bigints as their digits. */
class JsonBeginning {
  text = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get #isEnough(): boolean {
    return this.text.length > this.#limit;
  }

  write(value: unknown): void {
    if (typeof value === 'bigint') this.text += value;
    else if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, this.#limit));
    else if (typeof value !== 'object' || value === null || value instanceof Float64) this.text += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) this.#writeList(value);
    else this.#writeMembers(value as Readonly<Record<string, unknown>>);
  }

  #writeList(list: readonly unknown[]): void {
    let before = '[';
    for (const item of list) {
      if (this.#isEnough) return;
      this.text += before;
      this.write(item);
      before = ',';
    }
    this.text += before === '[' ? '[]' : ']';
  }

  #writeMembers(object: Readonly<Record<string, unknown>>): void {
    let before = '{';
    for (const key of Object.keys(object)) {
      if (this.#isEnough) return;
      if (object[key] === undefined) continue;
      this.text += `${before}${JSON.stringify(key.slice(0, this.#limit))}:`;
      this.write(object[key]);
      before = ',';
    }
    this.text += before === '{' ? '{}' : '}';
  }
}
