import { isIPv6 } from 'node:net';
import { readDuration } from '../machinery/go/duration.ts';
import { Pattern } from '../machinery/patterns/pattern.ts';
import { maxInt64 } from '../machinery/scalars/integers.ts';
import { isEmailAddress } from './formats-email.ts';
import { cidr, ip } from './formats-ip.ts';
import { isRequestUri } from './formats-uri.ts';

/**
 * The string formats of OpenAPI schemas, by name without dashes. Each reports whether upstream's check accepts the
 * value, even where the standard differs. (kube-openapi pkg/validation/strfmt)
 */
export type StringFormat = (value: string) => boolean;

const uuidOf = (third: string, fourth: string): RegExp => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');

const uuid = uuidOf('[0-9a-f]{4}', '[0-9a-f]{4}');
const uuid3 = uuidOf('3[0-9a-f]{3}', '[0-9a-f]{4}');
const uuid4 = uuidOf('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}');
const uuid5 = uuidOf('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}');

const word = '[a-zA-Z0-9\\p{S}\\p{L}]';
const hostnameShape = new Pattern(
  `^(${word}((-?${word}{0,62})?)|(${word}(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}${word})?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$`,
);

function hostname(value: string): boolean {
  if (Buffer.byteLength(value) > 255 || !hostnameShape.test(value)) return false;
  return value.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

const pairs = (count: number): string => ['-', ':'].map((separator) => `[0-9a-f]{2}(?:${separator}[0-9a-f]{2}){${count - 1}}`).join('|');
const quads = (count: number): string => `[0-9a-f]{4}(?:\\.[0-9a-f]{4}){${count - 1}}`;
const mac = new RegExp(`^(?:${[...[6, 8, 20].map(pairs), ...[3, 4, 10].map(quads)].join('|')})$`, 'i');

function isbn10(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 10; at++) sum += (at + 1) * (digits[at] === 'X' ? 10 : Number(digits[at]));
  return sum % 11 === 0;
}

function isbn13(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 12; at++) sum += (at % 2 === 0 ? 1 : 3) * Number(digits[at]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const card =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

function creditCard(value: string): boolean {
  const digits = value.replace(/[^0-9]+/g, '');
  if (!card.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit >= 10 ? (digit % 10) + 1 : digit;
  }
  return sum % 10 === 0;
}

const shade = '(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])';
const rgb = new RegExp(`^rgb\\(\\s*${shade}\\s*,\\s*${shade}\\s*,\\s*${shade}\\s*\\)$`);

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

function date(value: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (!parts) return false;
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number);
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day <= days;
}

/** Hours, minutes and seconds are compared as text, and `t` may be lower case. */
function dateTime(value: string): boolean {
  if (Buffer.byteLength(value) < 4) return false;
  const [day = '', time] = value.toLowerCase().split('t');
  if (time === undefined || !date(day)) return false;
  const [, hour, minute, second] = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time) ?? [];
  return hour !== undefined && minute !== undefined && second !== undefined && hour <= '23' && minute <= '59' && second <= '59';
}

/** The last name of each row may have a suffix: `d`, `day`, `days`. */
const scalaUnits = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];

/** Accepts Go's format, and amounts with units anywhere in the text, as in Scala: `5 minutes`. */
function duration(value: string): boolean {
  if (typeof readDuration(value) === 'bigint') return true;
  let good = false;
  // no match begins after a digit, or a run of digits without a unit would take quadratic time
  for (const [, amount = '', name = ''] of value.matchAll(/(?<![0-9])([0-9]+)(?![0-9])\s*([A-Za-zµ]+)/g)) {
    const digits = amount.replace(/^0+/, '');
    if (digits.length > 19 || BigInt(digits || '0') > maxInt64) return false;
    const unit = name.toLowerCase();
    good ||= scalaUnits.some((names) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit));
  }
  return good;
}

const shortName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const longName = new Pattern('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$');

export const openApiFormats: Readonly<Record<string, StringFormat | undefined>> = Object.assign(Object.create(null), {
  bsonobjectid: (value: string) => /^[0-9a-f]{24}$/i.test(value),
  byte: (value: string) => base64.test(value),
  cidr: (value: string) => cidr(value).length === 0,
  creditcard: creditCard,
  date,
  datetime: dateTime,
  duration,
  email: isEmailAddress,
  hexcolor: (value: string) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(value),
  hostname,
  ipv4: (value: string) => value.includes('.') && ip(value).length === 0,
  ipv6: (value: string) => isIPv6(value) && !value.includes('%'),
  isbn: (value: string) => isbn10(value) || isbn13(value),
  isbn10,
  isbn13,
  k8slongname: (value: string) => Buffer.byteLength(value) <= 253 && longName.test(value),
  k8sshortname: (value: string) => Buffer.byteLength(value) <= 63 && shortName.test(value),
  mac: (value: string) => mac.test(value),
  password: () => true,
  rgbcolor: (value: string) => rgb.test(value),
  ssn: (value: string) => value.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(value),
  uri: isRequestUri,
  uuid: (value: string) => uuid.test(value),
  uuid3: (value: string) => uuid3.test(value),
  uuid4: (value: string) => uuid4.test(value),
  uuid5: (value: string) => uuid5.test(value),
});

/** Returns the check for a format name; undefined for a format that upstream ignores. */
export function openApiFormat(name: string): StringFormat | undefined {
  return openApiFormats[name.replaceAll('-', '')];
}
