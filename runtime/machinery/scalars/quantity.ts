import { BoundedMap } from '../collections/bounded-map.ts';
import { DecodeError } from '../errors/decode-error.ts';
import { maxInt64, minInt64 } from './integers.ts';

/**
 * Quantities: exact decimals with a suffix. (apimachinery pkg/api/resource/quantity.go)
 *
 * A value is `unscaled * 10^scale`. In the canonical text there is no fraction, the suffix is the largest that keeps
 * the number whole, and only whole numbers from 1024 on have binary suffixes: `1.5` -> `1500m`, `1024Ki` -> `1Mi`,
 * `512Ki` stays, `0.5Ki` -> `512`.
 */
export interface Quantity {
  readonly unscaled: bigint;
  /** A power of ten. */
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The parsed text, if Go prints it in place of the canonical form: `+1`, `1.500`. */
  readonly text?: string;
}

/** The family of suffixes: `12Mi`, `12M`, `12e6`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

export const quantityFormatError = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const numericError = 'unable to parse numeric part of quantity';
const suffixError = "unable to parse quantity's suffix";

const nano = -9;

const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalByExponent = new Map(Object.entries(decimalSuffixes).map(([suffix, exponent]) => [exponent, suffix]));
const binaryByExponent = new Map(Object.entries(binarySuffixes).map(([suffix, exponent]) => [exponent, suffix]));

/**
 * The maximum length of a text, and the maximum exponent of a number with more than 18 digits. Larger numbers would
 * take seconds to print.
 */
const maxLength = 1_000;

interface KnownQuantity {
  readonly quantity: Quantity;
  readonly canonical: string;
}

/** Quantities by their text. A cluster has few distinct ones. */
const known = new BoundedMap<string, KnownQuantity>(2048);

function lookUp(text: string): KnownQuantity {
  const found = known.get(text);
  if (found !== undefined) return found;
  const quantity = readQuantity(text);
  const entry = { quantity, canonical: formatQuantity(quantity) };
  if (text.length <= 64) known.set(text, entry);
  return entry;
}

/** @throws DecodeError with upstream's message */
export function parseQuantity(text: string): Quantity {
  return lookUp(text).quantity;
}

/** Returns the text that Go prints after parsing. @throws DecodeError */
export function canonicalQuantity(text: string): string {
  return lookUp(text).canonical;
}

/** Sign, leading zeros, digits, fraction, suffix. The lookaheads leave only one way to match. */
const shape = /^([+-]?)(0*)(?!0)([0-9]*)(?![0-9])(?:\.([0-9]*)(?![0-9]))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

function readQuantity(text: string): Quantity {
  if (text === '0') return { unscaled: 0n, scale: 0, format: 'DecimalSI', text };
  const match = text.length > maxLength ? null : shape.exec(text);
  if (text === '' || !match) throw new DecodeError(quantityFormatError);
  const [, sign = '', zeroes = '', digits = '', fraction = '', suffix = ''] = match;
  const { base, exponent, format } = interpretSuffix(suffix);
  const whole = digits === '' ? '0' : digits;
  const parts = { text, sign, whole, fraction, base, exponent, format };
  const short = shortQuantity(parts);
  if (short) return short;
  // Upstream reads a lone sign, point or suffix as zero, but only if 18 digits are enough.
  if (zeroes + digits + fraction === '' || exponent > maxLength) throw new DecodeError(numericError);
  return longQuantity(parts);
}

interface QuantityParts {
  readonly text: string;
  readonly sign: string;
  /** Digits before the point, at least one. */
  readonly whole: string;
  /** Digits after the point. */
  readonly fraction: string;
  readonly base: number;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Reads numbers of at most 18 digits that fit int64. Nothing is rounded, and some numbers keep their text. */
function shortQuantity({ text, sign, whole, fraction, exponent, format }: QuantityParts): Quantity | undefined {
  let precision: number;
  let scale = 0;
  let mantissa = 1n;
  if (format === 'BinarySI') {
    if (fraction !== '') return undefined;
    mantissa = 1n << BigInt(exponent);
    precision = 15 - whole.length - Math.trunc(Math.fround((exponent * 3) / 10)) - 1;
  } else {
    scale = exponent;
    precision = 18 - (whole.length + fraction.length);
  }
  scale -= fraction.length;
  if (precision < 0 || scale < nano) return undefined;
  const digits = whole + fraction;
  const value = BigInt(digits);
  const product = value * mantissa;
  if (product > maxInt64) return undefined;
  const unscaled = sign === '-' ? -product : product;
  const keeps =
    format === 'BinarySI'
      ? exponent % 10 === 0 && (value & 7n) !== 0n
      : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return keeps ? { unscaled, scale, format, text } : { unscaled, scale, format };
}

/** Reads all other numbers. They are rounded away from zero to a multiple of one nano. Binary ones stop at 2^63-1. */
function longQuantity({ sign, whole, fraction, base, exponent, format }: QuantityParts): Quantity {
  const digits = BigInt(whole + fraction);
  const shifted = base === 2 ? digits << BigInt(exponent) : digits;
  const scale = (base === 10 ? exponent : 0) - fraction.length;
  if (shifted === 0n) return { unscaled: 0n, scale, format };
  let magnitude = rescale(shifted, scale, nano);
  let family = format;
  const one = 10n ** 9n;
  if (format === 'BinarySI' && magnitude > maxInt64 * one) magnitude = maxInt64 * one;
  if (format === 'BinarySI' && magnitude < one) family = 'DecimalSI';
  return { unscaled: sign === '-' ? -magnitude : magnitude, scale: nano, format: family };
}

function interpretSuffix(suffix: string): { base: number; exponent: number; format: QuantityFormat } {
  const decimal = Object.hasOwn(decimalSuffixes, suffix) ? decimalSuffixes[suffix] : undefined;
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = Object.hasOwn(binarySuffixes, suffix) ? binarySuffixes[suffix] : undefined;
  if (binary !== undefined) return { base: 2, exponent: binary, format: 'BinarySI' };
  if (/^[eE][+-]?[0-9]+$/.test(suffix)) {
    const exponent = BigInt(suffix.slice(1).replace('+', ''));
    if (exponent > maxInt64 || exponent < minInt64) throw new DecodeError(suffixError);
    return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
  }
  throw new DecodeError(suffixError);
}

/** Returns `value * 10^from` as a multiple of `10^to`, rounded away from zero. Limits extreme powers. */
function rescale(value: bigint, from: number, to: number): bigint {
  if (from >= to) return value * 10n ** BigInt(Math.min(from - to, 2 * maxLength));
  const magnitude = value < 0n ? -value : value;
  const digits = magnitude.toString().length;
  if (to - from > digits) return value === 0n ? 0n : value < 0n ? -1n : 1n;
  const divisor = 10n ** BigInt(to - from);
  const up = (magnitude + divisor - 1n) / divisor;
  return value < 0n ? -up : up;
}

/** Returns the text that Go prints. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  return formatBinary(quantity) ?? formatDecimal(quantity);
}

/** Returns undefined for a quantity with decimal suffixes: it is below 1024 or not whole. */
function formatBinary({ unscaled, scale, format }: Quantity): string | undefined {
  if (format !== 'BinarySI') return undefined;
  const whole = rescale(unscaled, scale, 0);
  const isWhole = scale >= 0 || whole * 10n ** BigInt(-scale) === unscaled;
  if (!isWhole || (whole > -1024n && whole < 1024n)) return undefined;
  let amount = whole;
  let exponent = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    exponent += 10;
  }
  return `${amount}${binaryByExponent.get(exponent) ?? ''}`;
}

function formatDecimal({ unscaled, scale, format }: Quantity): string {
  let amount = unscaled;
  let exponent = scale;
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent--;
  }
  if (format !== 'DecimalExponent') return `${amount}${decimalByExponent.get(exponent) ?? ''}`;
  return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
}

/** Returns -1, 0 or 1. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || signOf(a) === 0) return Math.sign(signs);
  const magnitudes = magnitudeOf(a) - magnitudeOf(b);
  if (magnitudes !== 0) return Math.sign(magnitudes) * signOf(a);
  const scale = Math.min(a.scale, b.scale);
  const left = rescale(a.unscaled, a.scale, scale);
  const right = rescale(b.unscaled, b.scale, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

const signOf = ({ unscaled }: Quantity): number => (unscaled === 0n ? 0 : unscaled < 0n ? -1 : 1);

/** Returns the position of the leading digit. It distinguishes most quantities without expanding their zeros. */
const magnitudeOf = ({ unscaled, scale }: Quantity): number => (unscaled < 0n ? -unscaled : unscaled).toString().length + scale;

/** Returns the sum, in the format of the first operand unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  if (b.unscaled === 0n) return { unscaled: a.unscaled, scale: a.scale, format };
  if (a.unscaled === 0n) return { unscaled: b.unscaled, scale: b.scale, format };
  const scale = Math.min(a.scale, b.scale);
  return { unscaled: rescale(a.unscaled, a.scale, scale) + rescale(b.unscaled, b.scale, scale), scale, format };
}

/** Returns the difference, in the format of the first operand unless that is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

/** Rounds away from zero to a multiple of `10^scale`: -3 for whole milli units. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  return { unscaled: rescale(quantity.unscaled, quantity.scale, scale), scale, format: quantity.format };
}

/** Returns the quantity in units of `10^scale`, rounded away from zero. Scale 0 is Value(), -3 is MilliValue(). */
export function scaledQuantityValue(quantity: Quantity, scale = 0): bigint {
  return rescale(quantity.unscaled, quantity.scale, scale);
}
