import { maxInt64, maxUint64, minInt64 } from '../../machinery/scalars/integers.ts';
import { concatenate } from './list.ts';
import { Bytes, CelError, Double, Duration, intValue, isInt, noSuchOverload, Timestamp, Uint, type Value } from './value.ts';

export const intOverflow = new CelError('integer overflow');
export const uintOverflow = new CelError('unsigned integer overflow');
export const timestampOverflow = new CelError('timestamp overflow');
const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
const minTimestamp = -62_135_596_800n * 1_000_000_000n;
const maxTimestamp = 253_402_300_800n * 1_000_000_000n - 1n;

const checkedInt = (value: bigint): Value => (value > maxInt64 || value < minInt64 ? intOverflow : intValue(value));
const checkedUint = (value: bigint): Value => (value > maxUint64 || value < 0n ? uintOverflow : new Uint(value));

function checkedDuration(value: bigint): Value {
  return value > maxInt64 || value < minInt64 ? intOverflow : new Duration(value);
}

export function checkedTimestamp(value: bigint, offset = 0): Value {
  return value < minTimestamp || value > maxTimestamp ? timestampOverflow : new Timestamp(value, offset);
}

const noSuchOverloadOf = (operator: string): CelError => new CelError(`no such overload: ${operator}`);

export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return Number.isSafeInteger(sum) ? sum : checkedInt(BigInt(a) + BigInt(b));
  }
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload;
  if (isInt(a)) return isInt(b) ? checkedInt(BigInt(a) + BigInt(b)) : noSuchOverload;
  if (a === null || typeof a !== 'object') return noSuchOverloadOf('_+_');
  const other = typeof b === 'object' ? b : null;
  switch (a.tag) {
    case 'double':
      return other?.tag === 'double' ? new Double(a.value + other.value) : noSuchOverload;
    case 'uint':
      return other?.tag === 'uint' ? checkedUint(a.value + other.value) : noSuchOverload;
    case 'bytes':
      return other?.tag === 'bytes' ? new Bytes(Buffer.concat([a.value, other.value])) : noSuchOverload;
    case 'list':
      return other?.tag === 'list' ? concatenate(a, other) : noSuchOverload;
    case 'duration':
      if (other?.tag === 'duration') return checkedDuration(a.value + other.value);
      return other?.tag === 'timestamp' ? checkedTimestamp(a.value + other.value, other.offset) : noSuchOverload;
    case 'timestamp':
      return other?.tag === 'duration' ? checkedTimestamp(a.value + other.value, a.offset) : noSuchOverload;
    default:
      return noSuchOverloadOf('_+_');
  }
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return Number.isSafeInteger(difference) ? difference : checkedInt(BigInt(a) - BigInt(b));
  }
  if (isInt(a)) return isInt(b) ? checkedInt(BigInt(a) - BigInt(b)) : noSuchOverload;
  if (a === null || typeof a !== 'object') return noSuchOverloadOf('_-_');
  const other = typeof b === 'object' ? b : null;
  switch (a.tag) {
    case 'double':
      return other?.tag === 'double' ? new Double(a.value - other.value) : noSuchOverload;
    case 'uint':
      return other?.tag === 'uint' ? checkedUint(a.value - other.value) : noSuchOverload;
    case 'duration':
      return other?.tag === 'duration' ? checkedDuration(a.value - other.value) : noSuchOverload;
    case 'timestamp':
      if (other?.tag === 'duration') return checkedTimestamp(a.value - other.value, a.offset);
      return other?.tag === 'timestamp' ? checkedDuration(a.value - other.value) : noSuchOverload;
    default:
      return noSuchOverloadOf('_-_');
  }
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // avoids -0, which is not an int
    return Number.isSafeInteger(product) ? product + 0 : checkedInt(BigInt(a) * BigInt(b));
  }
  if (isInt(a)) return isInt(b) ? checkedInt(BigInt(a) * BigInt(b)) : noSuchOverload;
  if (a instanceof Double) return b instanceof Double ? new Double(a.value * b.value) : noSuchOverload;
  if (a instanceof Uint) return b instanceof Uint ? checkedUint(a.value * b.value) : noSuchOverload;
  return noSuchOverloadOf('_*_');
}

export function divide(a: Value, b: Value): Value {
  if (isInt(a)) {
    if (!isInt(b)) return noSuchOverload;
    if (b === 0) return divisionByZero;
    if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
    return checkedInt(BigInt(a) / BigInt(b));
  }
  if (a instanceof Double) return b instanceof Double ? new Double(a.value / b.value) : noSuchOverload;
  if (!(a instanceof Uint)) return noSuchOverloadOf('_/_');
  if (!(b instanceof Uint)) return noSuchOverload;
  return b.value === 0n ? divisionByZero : new Uint(a.value / b.value);
}

export function modulo(a: Value, b: Value): Value {
  if (isInt(a)) {
    if (!isInt(b)) return noSuchOverload;
    if (b === 0) return modulusByZero;
    if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
    if (BigInt(a) === minInt64 && b === -1) return intOverflow;
    return intValue(BigInt(a) % BigInt(b));
  }
  if (!(a instanceof Uint)) return noSuchOverloadOf('_%_');
  if (!(b instanceof Uint)) return noSuchOverload;
  return b.value === 0n ? modulusByZero : new Uint(a.value % b.value);
}

export function negate(a: Value): Value {
  if (typeof a === 'number') return 0 - a;
  if (typeof a === 'bigint') return checkedInt(-a);
  if (a instanceof Double) return new Double(-a.value);
  return noSuchOverloadOf('-_');
}
