import { spend } from '../../machinery/event-loop/budget.ts';
import { parseGoBool } from '../../machinery/go/bool.ts';
import { maxInt64, maxUint64, minInt64 } from '../../machinery/scalars/integers.ts';
import type { Type } from '../types/type.ts';
import { intOverflow, timestampOverflow, uintOverflow } from './arithmetic.ts';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, unixSeconds } from './time.ts';
import { valueType } from './types.ts';
import { Bytes, CelError, Double, Duration, intValue, isError, isInt, Timestamp, TypeValue, Uint, type Value } from './value.ts';

/** Implements `int(x)`, `string(x)` and so on. (cel-go common/types, ConvertToType) */
export function convert(value: Value, to: Type): Value {
  if (isError(value)) return value;
  if (to.kind === 'type') return new TypeValue(valueType(value));
  const converted = converters[to.kind]?.(value);
  return converted ?? new CelError(`type conversion error from '${valueType(value).name}' to '${to.name}'`);
}

/** The maximum number of digits. Longer numbers are out of the range of all types, and take long to parse. */
const maxDigits = 20;

type Converter = (value: Value) => Value | undefined;

const converters: Partial<Record<Type['kind'], Converter>> = {
  int: toInt,
  uint: toUint,
  double: toDouble,
  string: toText,
  bool: toBool,
  bytes: toBytes,
  duration: toDuration,
  timestamp: toTimestamp,
};

/** Microseconds per character. The cost of a conversion does not depend on the length. */
const perCharacter = 0.005;

function toInt(value: Value): Value | undefined {
  if (isInt(value)) return value;
  if (typeof value === 'string') {
    spend(value.length * perCharacter);
    const [, sign, digits] = /^([+-]?)0*([0-9]+)$/.exec(value) ?? [];
    if (digits === undefined || digits.length > maxDigits) return undefined;
    const number = sign === '-' ? -BigInt(digits) : BigInt(digits);
    return number > maxInt64 || number < minInt64 ? undefined : intValue(number);
  }
  if (value === null || typeof value !== 'object') return undefined;
  switch (value.tag) {
    case 'uint':
      return value.value > maxInt64 ? intOverflow : intValue(value.value);
    case 'double':
      if (!Number.isFinite(value.value) || value.value <= -(2 ** 63) || value.value >= 2 ** 63) return intOverflow;
      return intValue(BigInt(Math.trunc(value.value)));
    case 'timestamp':
      return unixSeconds(value);
    case 'duration':
      return intValue(value.value);
    default:
      return undefined;
  }
}

function toUint(value: Value): Value | undefined {
  if (isInt(value)) return value < 0 ? uintOverflow : new Uint(BigInt(value));
  if (typeof value === 'string') {
    spend(value.length * perCharacter);
    const digits = /^0*([0-9]+)$/.exec(value)?.[1];
    const number = digits !== undefined && digits.length <= maxDigits ? BigInt(digits) : undefined;
    return number === undefined || number > maxUint64 ? undefined : new Uint(number);
  }
  if (value instanceof Uint) return value;
  if (!(value instanceof Double)) return undefined;
  const number = value.value;
  if (!Number.isFinite(number) || number < 0 || number >= 2 ** 64) return uintOverflow;
  return new Uint(BigInt(Math.trunc(number)));
}

function toDouble(value: Value): Value | undefined {
  if (isInt(value)) return new Double(Number(value));
  if (value instanceof Double) return value;
  if (value instanceof Uint) return new Double(Number(value.value));
  if (typeof value !== 'string') return undefined;
  const number = parseDouble(value);
  return number === undefined ? undefined : new Double(number);
}

/** Parses a double as strconv.ParseFloat does. */
export function parseDouble(text: string): number | undefined {
  spend(text.length * perCharacter);
  if (/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) ? number : undefined;
  }
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinity) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return undefined;
}

function toText(value: Value): Value | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || isInt(value)) return String(value);
  if (value === null) return undefined;
  switch (value.tag) {
    case 'double':
      return formatDouble(value.value);
    case 'uint':
      return String(value.value);
    case 'bytes':
      return bytesToText(value.value);
    case 'timestamp':
      return formatTimestamp(value);
    case 'duration':
      return formatDuration(value.value);
    case 'type':
      return value.type.name;
    default:
      return undefined;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesToText(bytes: Uint8Array): Value {
  try {
    return strict.decode(bytes);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** Formats a double like Go's `%g`: with the fewest digits, and with an exponent below 1e-4 and from 1e6 on. */
function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return decimal(digits, power);
  const magnitude = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${magnitude}`;
}

/** Formats `d.ddd` times a power of ten without an exponent. */
export function decimal(digits: string, power: number): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const figures = digits.replace('-', '').replace('.', '');
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${figures}`;
  if (figures.length <= power + 1) return sign + figures.padEnd(power + 1, '0');
  return `${sign}${figures.slice(0, power + 1)}.${figures.slice(power + 1)}`;
}

function toBool(value: Value): Value | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? parseGoBool(value) : undefined;
}

function toBytes(value: Value): Value | undefined {
  if (value instanceof Bytes) return value;
  return typeof value === 'string' ? new Bytes(new Uint8Array(Buffer.from(value))) : undefined;
}

function toDuration(value: Value): Value | undefined {
  if (value instanceof Duration) return value;
  if (isInt(value)) return new Duration(BigInt(value));
  const nanoseconds = typeof value === 'string' ? parseDuration(value) : undefined;
  return nanoseconds === undefined ? undefined : new Duration(nanoseconds);
}

function toTimestamp(value: Value): Value | undefined {
  if (value instanceof Timestamp) return value;
  if (isInt(value)) {
    if (value < -62_135_596_800 || value > 253_402_300_799) return timestampOverflow;
    return new Timestamp(BigInt(value) * 1_000_000_000n);
  }
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}
