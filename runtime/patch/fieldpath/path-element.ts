import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { parseRawJson, stringifyRawJson } from '../../machinery/json/raw-json.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { compareValues, valueToString } from './compare-values.ts';

/**
 * An element of a path as FieldsV1 encodes it: `f:<name>` for a field, `k:{"<key>":<value>,...}` for a list item by its
 * keys, `v:<value>` for a member of a set, `i:<n>` for an index. The encoding is canonical: equal path elements are
 * equal strings. (structured-merge-diff fieldpath/serialize-pe.go)
 */
export type PathElement = string;

/** A path from the root of an object to a field. */
export type Path = readonly PathElement[];

/** A key of FieldsV1 is invalid. */
export class PathElementError extends Error {
  readonly isPathElementError = true;

  constructor(message: string) {
    super(excerpt(message));
  }
}

/** The elements of fields. Objects of a kind share them, with their hash codes: a new string has none yet. */
const fieldElements = new BoundedMap<string, PathElement>(8_192);

export function fieldElement(name: string): PathElement {
  let element = fieldElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    if (element.length <= maxKnownLength) fieldElements.set(name, element);
  }
  return element;
}

export const valueElement = (value: Json): PathElement => `v:${goJson(value)}`;
export const indexElement = (index: number): PathElement => `i:${index}`;

/** @param keys in any order */
export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  const [only, ...more] = keys;
  if (only && more.length === 0) return `k:{${JSON.stringify(only[0])}:${goJson(only[1])}}`;
  const sorted = [...keys].sort((a, b) => compareStrings(a[0], b[0]));
  return `k:{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(',')}}`;
}

/** The longest element that a cache keeps. */
const maxKnownLength = 128;

export const isField = (element: PathElement): boolean => element.charCodeAt(0) === 0x66;
export const isKey = (element: PathElement): boolean => element.charCodeAt(0) === 0x6b;
export const fieldName = (element: PathElement): string => element.slice(2);

const htmlCharacter = /[<>&\u2028\u2029]/;
const htmlCharacters = /[<>&\u2028\u2029]/g;

/** Encodes JSON as Go does, which escapes the special characters of HTML. */
function goJson(value: Json): string {
  const text = stringifyRawJson(value);
  return htmlCharacter.test(text) ? text.replace(htmlCharacters, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
}

/**
 * Decodes a key of FieldsV1; returns undefined for unknown types of path elements.
 *
 * @throws PathElementError
 */
export function deserializePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text[1] !== ':') throw new PathElementError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseJson(text));
    case 'k': {
      if (sortKeys.get(text) !== undefined) return text;
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
    throw new PathElementError(`cannot parse ${element}: ${messageOf(error)}`);
  }
}

/** Returns the keys of a `k:` element, sorted by name. */
export function keysOf(element: PathElement): Keys {
  return Object.entries(parseJson(element) as JsonObject).sort((a, b) => compareStrings(a[0], b[0]));
}

const typeOrder = 'fkvi';

/** Sorts in place: fields first, then keys, values and indexes, each by content. */
export function sortPathElements(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  if (elements.every(isField)) return elements.sort(compareStrings);
  const keys = elements.map(sortKey).sort(compareElements);
  for (const [at, { element }] of keys.entries()) elements[at] = element;
  return elements;
}

/** The order of `sortPathElements`. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (isField(left) && isField(right)) return compareStrings(left, right);
  return compareElements(sortKey(left), sortKey(right));
}

type Keys = [name: string, value: Json][];

/** A path element and its content, which is parsed once for all comparisons. */
interface SortKey {
  readonly element: PathElement;
  /** The keys of a `k:` element. */
  readonly keys: Keys | undefined;
  /** The value of a `v:` or `i:` element. */
  readonly value: Json;
}

function sortKey(element: PathElement): SortKey {
  if (isField(element)) return { element, keys: undefined, value: null };
  if (isKey(element)) return sortKeyOfItem(element);
  return { element, keys: undefined, value: parseJson(element) };
}

/** The sort keys of list items. Objects of a kind share them: `k:{"type":"Ready"}`. */
const sortKeys = new BoundedMap<PathElement, SortKey>(4_096);

function sortKeyOfItem(element: PathElement): SortKey {
  const known = sortKeys.get(element);
  if (known !== undefined) return known;
  const key = { element, keys: keysOf(element), value: null };
  if (element.length <= maxKnownLength) sortKeys.set(element, key);
  return key;
}

function compareElements(left: SortKey, right: SortKey): number {
  if (left.element === right.element) return 0;
  const difference = typeOrder.indexOf(left.element.charAt(0)) - typeOrder.indexOf(right.element.charAt(0));
  if (difference !== 0) return difference;
  if (isField(left.element)) return compareStrings(left.element, right.element);
  if (left.keys && right.keys) return compareKeys(left.keys, right.keys);
  return compareValues(left.value, right.value);
}

function compareKeys(left: Keys, right: Keys): number {
  for (const [i, [name, value]] of left.entries()) {
    const other = right[i];
    if (other === undefined) break;
    const difference = compareStrings(name, other[0]) || compareValues(value, other[1]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Formats a path element for messages: `.spec`, `[name="web",port=80]`, `[="x"]`, `[0]`. */
export function pathElementToString(element: PathElement): string {
  switch (element[0]) {
    case 'f':
      return `.${fieldName(element)}`;
    case 'k':
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${valueToString(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${valueToString(parseJson(element))}]`;
    default:
      return `[${element.slice(2)}]`;
  }
}

export const pathToString = (path: Path): string => path.map(pathElementToString).join('');
