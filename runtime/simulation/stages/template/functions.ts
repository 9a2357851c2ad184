import { createHash } from 'node:crypto';
import { encodeYaml } from '../../../codec/yaml.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Random } from '../../../machinery/random.ts';

/** Functions by name. Their errors are reported with the line of the template. */
export type TemplateFunctions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** The longest text and list that a function may return. */
const maxText = 1024 * 1024;
const maxList = 100_000;

/** Reports whether `if` takes a value as true: it is neither zero nor empty. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Formats a value like Go's fmt.Print. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  if (Array.isArray(value)) return `[${value.map(nestedText).join(' ')}]`;
  if (isJsonObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${key}:${nestedText(value[key])}`);
    return `map[${entries.join(' ')}]`;
  }
  return String(value);
}

const nestedText = (value: unknown): string => (value === null || value === undefined ? '<nil>' : textOf(value));

/** Formats like fmt.Sprintf, with the verbs that templates use. */
export function formatPrintf(format: string, args: readonly unknown[]): string {
  let next = 0;
  return limited(
    format.replace(/%(-?\d*)(?:\.(\d+))?([%a-zA-Z])/g, (_, width: string, precision: string | undefined, verb: string) => {
      if (verb === '%') return '%';
      if (next >= args.length) return `%!${verb}(MISSING)`;
      const text = formatted(args[next++], verb, precision);
      const fill = width.startsWith('0') && verb !== 's' ? '0' : ' ';
      const size = Math.min(Number(width.replace('-', '')), 1000);
      return width.startsWith('-') ? text.padEnd(size) : text.padStart(size, fill);
    }),
  );
}

function formatted(value: unknown, verb: string, precision: string | undefined): string {
  if (verb === 'q') return quote(textOf(value));
  if (verb === 'f') return Number(value).toFixed(Math.min(Number(precision ?? 6), 100));
  if (verb === 'x') return typeof value === 'number' ? value.toString(16) : Buffer.from(textOf(value)).toString('hex');
  if (verb === 'd') return String(integer(value));
  return textOf(value);
}

function limited(text: string): string {
  if (text.length > maxText) throw new Error('text is too long');
  return text;
}

function integer(value: unknown): number {
  const number = typeof value === 'boolean' ? Number(value) : Math.trunc(Number(value ?? 0));
  return Number.isFinite(number) ? number : 0;
}

const list = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined) return [];
  throw new Error(`${textOf(value)} is not a list`);
};
const dict = (value: unknown): Record<string, unknown> => {
  if (isJsonObject(value)) return value;
  if (value === null || value === undefined) return {};
  throw new Error(`${textOf(value)} is not a map`);
};
const text = (value: unknown): string => (value === null || value === undefined ? '' : textOf(value));

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  throw new Error('incompatible types for comparison');
}

function indexOf(value: unknown, ...keys: unknown[]): unknown {
  let current = value;
  for (const key of keys) {
    if (current === null || current === undefined) throw new Error('index of untyped nil');
    if (Array.isArray(current)) {
      const at = integer(key);
      if (at < 0 || at >= current.length) throw new Error(`index out of range: ${at}`);
      current = current[at];
    } else if (isJsonObject(current)) {
      current = Object.hasOwn(current, String(key)) ? current[String(key)] : undefined;
    } else throw new Error(`can't index item of type ${typeof current}`);
  }
  return current;
}

function series(from: number, to: number, step: number): number[] {
  if (step === 0 || (to - from) / step > maxList) throw new Error('list is too long');
  const numbers: number[] = [];
  for (let at = from; step > 0 ? at < to : at > to; at += step) numbers.push(at);
  return numbers;
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The functions of text/template. */
const goFunctions: TemplateFunctions = {
  eq: (a, ...others) => others.some((b) => equal(a, b)),
  ge: (a, b) => compare(a, b) >= 0,
  gt: (a, b) => compare(a, b) > 0,
  index: indexOf,
  le: (a, b) => compare(a, b) <= 0,
  len: (value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : isJsonObject(value) ? Object.keys(value).length : list(value).length,
  lt: (a, b) => compare(a, b) < 0,
  ne: (a, b) => !equal(a, b),
  not: (value) => !isTrue(value),
  print: (...args) => limited(args.map(textOf).join('')),
  printf: (format, ...args) => formatPrintf(text(format), args),
  println: (...args) => limited(`${args.map(textOf).join(' ')}\n`),
  slice: (value, from = 0, to = undefined) =>
    (typeof value === 'string' ? value : list(value)).slice(integer(from), to === undefined ? undefined : integer(to)),
};

/** The most common functions of sprig. */
const sprigFunctions: TemplateFunctions = {
  add: (...args) => args.reduce<number>((sum, value) => sum + integer(value), 0),
  add1: (value) => integer(value) + 1,
  append: (values, value) => [...list(values), value],
  atoi: (value) => integer(value),
  b64dec: (value) => Buffer.from(text(value), 'base64').toString(),
  b64enc: (value) => Buffer.from(text(value)).toString('base64'),
  coalesce: (...args) => args.find(isTrue),
  compact: (values) => list(values).filter(isTrue),
  concat: (...lists) => lists.flatMap(list),
  contains: (part, value) => text(value).includes(text(part)),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  dict: (...args) =>
    Object.fromEntries(Array.from({ length: Math.ceil(args.length / 2) }, (_, i) => [text(args[2 * i]), args[2 * i + 1] ?? ''])),
  div: (a, b) => {
    if (integer(b) === 0) throw new Error('division by zero');
    return Math.trunc(integer(a) / integer(b));
  },
  empty: (value) => !isTrue(value),
  fail: (message) => {
    throw new Error(text(message));
  },
  first: (values) => list(values)[0],
  float64: (value) => Number(value ?? 0) || 0,
  fromJson: (value) => JSON.parse(text(value)),
  get: (map, key) => (Object.hasOwn(dict(map), text(key)) ? dict(map)[text(key)] : ''),
  has: (value, values) => list(values).some((one) => equal(one, value)),
  hasKey: (map, key) => Object.hasOwn(dict(map), text(key)),
  hasPrefix: (prefix, value) => text(value).startsWith(text(prefix)),
  hasSuffix: (suffix, value) => text(value).endsWith(text(suffix)),
  indent: (spaces, value) => indented(integer(spaces), text(value)),
  initial: (values) => list(values).slice(0, -1),
  int: integer,
  int64: integer,
  join: (separator, values) => limited(list(values).map(text).join(text(separator))),
  keys: (map) => Object.keys(dict(map)).sort(),
  kindIs: (kind, value) => kindOf(value) === kind,
  kindOf: (value) => kindOf(value),
  last: (values) => list(values).at(-1),
  list: (...args) => args,
  lower: (value) => text(value).toLowerCase(),
  max: (...args) => Math.max(...args.map(integer)),
  merge: (...maps) => Object.assign({}, ...maps.reverse().map(dict)) as unknown,
  min: (...args) => Math.min(...args.map(integer)),
  mod: (a, b) => integer(a) % integer(b),
  mul: (...args) => args.reduce<number>((product, value) => product * integer(value), 1),
  nindent: (spaces, value) => `\n${indented(integer(spaces), text(value))}`,
  omit: (map, ...names) => Object.fromEntries(Object.entries(dict(map)).filter(([name]) => !names.includes(name))),
  pick: (map, ...names) => Object.fromEntries(Object.entries(dict(map)).filter(([name]) => names.includes(name))),
  prepend: (values, value) => [value, ...list(values)],
  quote: (...args) =>
    args
      .filter((value) => value !== null && value !== undefined)
      .map((value) => quote(textOf(value)))
      .join(' '),
  repeat: (count, value) => {
    if (integer(count) * text(value).length > maxText) throw new Error('text is too long');
    return text(value).repeat(Math.max(0, integer(count)));
  },
  replace: (old, by, value) => limited(text(value).replaceAll(text(old), () => text(by))),
  rest: (values) => list(values).slice(1),
  reverse: (values) => [...list(values)].reverse(),
  sha256sum: (value) => createHash('sha256').update(text(value)).digest('hex'),
  sortAlpha: (values) => list(values).map(text).sort(),
  splitList: (separator, value) => text(value).split(text(separator)),
  squote: (...args) => args.map((value) => `'${text(value)}'`).join(' '),
  sub: (a, b) => integer(a) - integer(b),
  substr: (from, to, value) => text(value).slice(Math.max(0, integer(from)), integer(to) < 0 ? undefined : integer(to)),
  ternary: (yes, no, condition) => (condition === true ? yes : no),
  title: (value) => text(value).replace(/(^|\s)(\S)/g, (_, space: string, first: string) => space + first.toUpperCase()),
  toJson: (value) => JSON.stringify(value ?? null),
  toPrettyJson: (value) => JSON.stringify(value ?? null, undefined, 2),
  toString: (value: unknown) => text(value),
  trim: (value) => text(value).trim(),
  trimAll: (characters, value) => trimmed(text(value), text(characters)),
  trimPrefix: (prefix, value) => (text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value)),
  trimSuffix: (suffix, value) =>
    text(suffix) !== '' && text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length) : text(value),
  trunc: (length, value) => (integer(length) < 0 ? text(value).slice(integer(length)) : text(value).slice(0, integer(length))),
  typeOf: (value) => kindOf(value),
  uniq: (values) => list(values).filter((value, index, all) => all.findIndex((other) => equal(other, value)) === index),
  until: (count) => series(0, integer(count), integer(count) < 0 ? -1 : 1),
  untilStep: (from, to, step) => series(integer(from), integer(to), integer(step)),
  upper: (value) => text(value).toUpperCase(),
  values: (map) => Object.values(dict(map)),
  without: (values, ...others) => list(values).filter((value) => !others.some((other) => equal(other, value))),
};

const indented = (spaces: number, value: string): string => limited(value.replace(/^/gm, ' '.repeat(Math.min(Math.max(spaces, 0), 1000))));

function trimmed(value: string, characters: string): string {
  let [from, to] = [0, value.length];
  while (from < to && characters.includes(value.charAt(from))) from++;
  while (to > from && characters.includes(value.charAt(to - 1))) to--;
  return value.slice(from, to);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'invalid';
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** KWOK's functions that only use their arguments. (pkg/utils/gotpl/funcs.go) */
const kwokFunctions: TemplateFunctions = {
  Quote: (value) => JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value ?? null)),
  YAML(value, indent) {
    const yaml = Buffer.from(encodeYaml(value ?? null)).toString();
    const levels = Math.min(integer(indent), 100);
    return limited(levels > 0 ? `\n${yaml}`.replaceAll('\n', `\n${'  '.repeat(levels)}`) : yaml);
  },
};

/** The functions for templates of Stages, without those that use the object. */
export const templateFunctions: TemplateFunctions = { ...sprigFunctions, ...goFunctions, ...kwokFunctions };

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Returns the functions with random results.
 *
 * @param scope of the template's object
 * @param name of the template's object
 */
export function randomFunctions(random: Random, scope: string, name: string): TemplateFunctions {
  const chance = (): number => random.float('template', scope, name);
  const characters = (length: unknown, alphabet: string): string =>
    Array.from({ length: Math.min(integer(length), 1000) }, () => alphabet[Math.floor(chance() * alphabet.length)]).join('');
  return {
    randAlpha: (length) => characters(length, letters),
    randAlphaNum: (length) => characters(length, `${letters}0123456789`),
    randInt: (from, to) => integer(from) + Math.floor(chance() * Math.max(0, integer(to) - integer(from))),
    randNumeric: (length) => characters(length, '0123456789'),
    uuidv4: () => random.uuid('template', scope, name),
  };
}
