import { excerpt } from '../../machinery/errors/excerpt.ts';
import { parseRawJson, stringifyRawJson } from '../../machinery/json/raw-json.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { compareText, compareValues, valueText } from './value-order.ts';

/**
 * One step of a path, in the form that FieldsV1 writes: `f:<name>` a field, `k:{"<key>":<value>,...}` the list item with
 * these keys, `v:<value>` the member of a set, `i:<n>` the item at an index. The text is canonical: equal steps are equal
 * strings. (structured-merge-diff fieldpath/serialize-pe.go)
 */
export type PathElement = string;

/** From the root of an object to a field. */
export type Path = readonly PathElement[];

/** What a key of FieldsV1 may not be. */
export class PathElementError extends Error {
  readonly isPathElementError = true;

  constructor(message: string) {
    super(excerpt(message));
  }
}

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const valueElement = (value: Json): PathElement => `v:${goJson(value)}`;
export const indexElement = (index: number): PathElement => `i:${index}`;

/** `keys` in any order. */
export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  if (keys.length === 1) return `k:{${JSON.stringify(keys[0][0])}:${goJson(keys[0][1])}}`;
  const sorted = [...keys].sort((a, b) => compareText(a[0], b[0]));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}

export const isField = (element: PathElement): boolean => element.charCodeAt(0) === 0x66;
export const isKey = (element: PathElement): boolean => element.charCodeAt(0) === 0x6b;
export const fieldName = (element: PathElement): string => element.slice(2);

const unsafe = /[<>&\u2028\u2029]/;
const allUnsafe = /[<>&\u2028\u2029]/g;

/** JSON as Go's encoder writes it: characters that are special in HTML are escaped. */
function goJson(value: Json): string {
  const text = stringifyRawJson(value);
  return unsafe.test(text)
    ? text.replace(allUnsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
}

/**
 * Reads a key of FieldsV1; undefined for kinds of steps that nobody knows yet.
 * @throws PathElementError
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text[1] !== ':') throw new PathElementError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(text));
    case 'k': {
      const keys = parseJson(text);
      if (!isJsonObject(keys)) throw new PathElementError(`expected a map of keys: ${text}`);
      return keyElement(Object.entries(keys));
    }
    case 'i': {
      if (!/^i:[+-]?[0-9]+$/.test(text)) {
        throw new PathElementError(`strconv.Atoi: parsing ${JSON.stringify(text.slice(2))}: invalid syntax`);
      }
      return indexElement(Number(text.slice(2)));
    }
    default:
      return undefined;
  }
}

function parseJson(element: string): Json {
  const text = element.slice(2);
  try {
    return /[0-9]{16}/.test(text) ? (parseRawJson(Buffer.from(text)) as Json) : (JSON.parse(text) as Json);
  } catch (error) {
    throw new PathElementError(`cannot parse ${element}: ${(error as Error).message}`);
  }
}

/** The keys of a `k:` step, by name. */
export function keysOf(element: PathElement): [name: string, value: Json][] {
  return Object.entries(parseJson(element) as JsonObject).sort((a, b) => compareText(a[0], b[0]));
}

const order = 'fkvi';

/** In place, by step: fields first, then keys, values and indexes; each by its content. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  if (elements.every(isField)) return elements.sort(compareText);
  const keys = elements.map(sortKey).sort(compareElements);
  for (let at = 0; at < keys.length; at++) elements[at] = keys[at].element;
  return elements;
}

/** An element with its content, which is read once for all comparisons. */
interface SortKey {
  readonly element: PathElement;
  /** Of `k:` the keys with their values. */
  readonly content: Json | readonly (readonly [name: string, value: Json])[];
}

function sortKey(element: PathElement): SortKey {
  if (isField(element)) return { element, content: null };
  return { element, content: isKey(element) ? keysOf(element) : parseJson(element) };
}

function compareElements(left: SortKey, right: SortKey): number {
  if (left.element === right.element) return 0;
  const kind = order.indexOf(left.element[0]);
  const difference = kind - order.indexOf(right.element[0]);
  if (difference !== 0) return difference;
  if (isField(left.element)) return compareText(left.element, right.element);
  if (isKey(left.element)) return compareKeys(left.content as never, right.content as never);
  return compareValues(left.content as Json, right.content as Json);
}

function compareKeys(left: readonly [string, Json][], right: readonly [string, Json][]): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = compareText(left[i][0], right[i][0]) || compareValues(left[i][1], right[i][1]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** As messages show it: `.spec`, `[name="web",port=80]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  switch (element[0]) {
    case 'f':
      return `.${fieldName(element)}`;
    case 'k':
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${valueText(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueText(parseJson(element))}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}

export const pathText = (path: Path): string => path.map(elementText).join('');
