import { maxInt64, maxUint64, minInt64 } from '../../machinery/scalars/integers.ts';

/**
 * The value of a plain (unquoted) scalar as go-yaml v2 resolves it: YAML 1.1 with its yes and no, but without base-60
 * numbers. Dates stay text. (go-yaml v2 resolve.go)
 */
export type Resolved = null | boolean | number | bigint | GoFloat | string;

/** A float64, which go-yaml distinguishes from integers. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The tags that restrict the type of a scalar. */
export type CoreTag = 'null' | 'bool' | 'str' | 'int' | 'float' | 'timestamp';

const words: ReadonlyMap<string, Resolved> = new Map<string, Resolved>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, new GoFloat(Number.NaN)] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, new GoFloat(Number.POSITIVE_INFINITY)] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, new GoFloat(Number.NEGATIVE_INFINITY)] as const),
]);
const longestWord = 5;

const decimalFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
/** strconv.ParseFloat allows underscores between digits. */
const dotFloat = /^\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?$/;
const withoutUnderscores = (text: string): string => (text.includes('_') ? text.replaceAll('_', '') : text);

/**
 * Returns the value of a plain scalar. Integers are numbers if exact, otherwise bigint. NaN and infinities are valid.
 */
export function resolvePlain(text: string): Resolved {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  const first = text.charCodeAt(0);
  if (first === 0x2e) return dotFloat.test(text) ? finite(withoutUnderscores(text), text) : text;
  if (!(first >= 0x30 && first <= 0x39) && first !== 0x2b && first !== 0x2d) return text;
  const plain = withoutUnderscores(text);
  const integer = resolveInteger(plain);
  if (integer !== undefined) return integer;
  return decimalFloat.test(plain) ? finite(plain, text) : text;
}

/** Returns the value of a scalar with a tag; undefined if the tag does not fit. */
export function resolveTagged(tag: CoreTag, text: string): Resolved | undefined {
  if (tag === 'str' || (tag === 'timestamp' && isTimestamp(text))) return text;
  const value = resolvePlain(text);
  const found = tagOf(value);
  if (found === tag) return value;
  // go-yaml converts an int64 to a float, but not a uint64
  const isInt64 = typeof value === 'number' || (typeof value === 'bigint' && value <= maxInt64);
  return tag === 'float' && isInt64 ? new GoFloat(Number(value)) : undefined;
}

/** Returns the float of a number. A number beyond float64 stays text. */
function finite(number: string, text: string): GoFloat | string {
  const value = Number(number);
  return Number.isFinite(value) ? new GoFloat(value) : text;
}

export function tagOf(value: Resolved): CoreTag {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return value instanceof GoFloat ? 'float' : 'int';
}

/** The maximum number of digits in a 64-bit integer in any base, without leading zeros. */
const maxDigits = 64;
/** Numbers of this many digits are exact in every base. */
const safeDigits = 12;
const bases = {
  x: { prefix: '0x', digits: /^[0-9a-fA-F]+$/ },
  o: { prefix: '0o', digits: /^[0-7]+$/ },
  b: { prefix: '0b', digits: /^[01]+$/ },
  d: { prefix: '', digits: /^[0-9]+$/ },
} as const;

/**
 * Parses an integer like strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b, and octal with a leading 0. Also
 * accepts go-yaml's `0b-1`.
 */
function resolveInteger(text: string): number | bigint | undefined {
  let sign = text[0] === '-' || text[0] === '+' ? text[0] : '';
  let at = sign.length;
  let base: keyof typeof bases = 'd';
  if (text[at] === '0' && text.length > at + 1) {
    const letter = text.charAt(at + 1).toLowerCase();
    const hasPrefix = text.length > at + 2 && (letter === 'x' || letter === 'o' || letter === 'b');
    base = hasPrefix ? (letter as 'x' | 'o' | 'b') : 'o';
    at += hasPrefix ? 2 : 1;
    if (text.startsWith('0b') && (text[2] === '-' || text[2] === '+')) sign = text.charAt(at++);
  }
  const start = at;
  while (text[at] === '0') at++;
  if (at === text.length && at > start) return 0;
  if (text.length - at > maxDigits) return undefined;
  const digits = text.slice(at);
  if (!bases[base].digits.test(digits)) return undefined;
  if (digits.length <= safeDigits) return Number(`${bases[base].prefix}${digits}`) * (sign === '-' ? -1 : 1);
  const magnitude = BigInt(`${bases[base].prefix}${digits}`);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < minInt64 || value > (sign === '' ? maxUint64 : maxInt64)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d)))|(?: +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;

/**
 * Reports whether a text is a date with or without a time. go-yaml decodes it as text into an interface, and quotes
 * such text.
 */
function isTimestamp(text: string): boolean {
  if (text[4] !== '-') return false;
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ...rest] = match.slice(1).map((digits) => Number(digits ?? 0));
  const [zoneHour = 0, zoneMinute = 0, hour2 = 0, minute2 = 0, second2 = 0] = rest;
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay || zoneHour > 24 || zoneMinute > 60) return false;
  return Math.max(hour, hour2) < 24 && Math.max(minute, minute2, second, second2) < 60;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Reports whether text needs quotes, because it would otherwise be, or look like, another type. */
export function looksLikeOther(text: string): boolean {
  return text === '<<' || typeof resolvePlain(text) !== 'string' || isTimestamp(text) || base60.test(text);
}
