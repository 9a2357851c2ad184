/**
 * What a plain (unquoted) scalar means, as go-yaml v2 decides it: YAML 1.1 with its yes and no, without its
 * base-60 numbers; dates stay text. (go-yaml v2 resolve.go)
 */
export type Resolved = null | boolean | number | bigint | string;

const words: ReadonlyMap<string, null | boolean | number> = new Map<string, null | boolean | number>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const decimalFloat = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const maxUint64 = 2n ** 64n - 1n;

export function resolvePlain(text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  const digit = first >= 0x30 && first <= 0x39;
  if (first === 0x2e) return /^\.[0-9]+([eE][-+]?[0-9]+)?$/.test(text) ? finite(text) : text;
  if (!digit && first !== 0x2b && first !== 0x2d) return text;
  if (digit && isTimestamp(text)) return text;
  const plain = text.replaceAll('_', '');
  return resolveInteger(plain) ?? (decimalFloat.test(plain) ? finite(plain, text) : text);
}

/** A number too large for a float64 is text. */
function finite(number: string, text = number): number | string {
  const value = Number(number);
  return Number.isFinite(value) ? value : text;
}

/** strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b and a leading 0 for octal. */
function resolveInteger(text: string): number | bigint | undefined {
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]+|0|[1-9][0-9]*)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, digits] = match;
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < minInt64 || value > (sign === '' ? maxUint64 : maxInt64)) return undefined;
  const number = Number(value);
  // JSON's reader makes a float64 of what no int64 holds.
  return Number.isSafeInteger(number) || value > maxInt64 ? number : value;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;

/** A date, with or without a time: go-yaml reads it as text where any value may stand, and writes such text quoted. */
function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = [
    ...match.slice(1, 4),
    match[4] ?? match[7] ?? 0,
    match[5] ?? match[8] ?? 0,
    match[6] ?? match[9] ?? 0,
  ].map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay && hour < 24 && minute < 60 && second < 60;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether text needs quotes, because without them it would be, or to other readers look like, something else. */
export function looksLikeOther(text: string): boolean {
  return text === '<<' || typeof resolvePlain(text) !== 'string' || isTimestamp(text) || base60.test(text);
}
