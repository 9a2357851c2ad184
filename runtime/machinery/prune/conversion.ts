import { DecodeError } from '../errors/decode-error.ts';
import { Float64 } from '../json/float64.ts';
import { canonicalInt64, type Integer } from '../scalars/integers.ts';

/*
 * apimachinery's converter for values whose type differs from the type of their field. Strategic merge patches use it
 * to write values into an object. (apimachinery pkg/runtime/converter.go fromUnstructured)
 */

/** The kind of a Go type, as reflect names it. */
export type GoKind = 'struct' | 'map' | 'slice' | 'string' | 'bool' | 'float64' | 'int32' | 'uint32' | 'int64' | 'uint64';

/** Returns the converter's error message. */
export function conversionError(value: unknown, goType: string, kind: GoKind): string {
  const from = unstructuredKind(value);
  switch (kind) {
    case 'map':
    case 'slice':
      return `cannot restore ${kind} from ${from}`;
    case 'struct':
      return `cannot restore struct from: ${from}`;
    default:
      // Go converts integers to strings, so its error differs.
      return from === 'int64' && kind === 'string' ? `cannot convert int64 to ${goType}` : `unrecognized type: ${kind}`;
  }
}

/** Converts a number as Go does, which drops the highest bits. Throws DecodeError for fractions. */
export function convertInteger(value: Integer | Float64, goType: string, kind: 'int32' | 'uint32' | 'int64' | 'uint64'): Integer {
  const number = value instanceof Float64 ? value.value : value;
  if (typeof number === 'number' && !Number.isInteger(number)) {
    throw new DecodeError(`cannot convert float64 to ${goType}`);
  }
  const bits = kind.endsWith('32') ? 32 : 64;
  const exact = value instanceof Float64 && Math.abs(value.value) >= 2 ** 63 ? -(2n ** 63n) : BigInt(number);
  return canonicalInt64(kind.startsWith('u') ? BigInt.asUintN(bits, exact) : BigInt.asIntN(bits, exact));
}

/** Returns the kind of the value that Go's JSON decoder makes. */
function unstructuredKind(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      if (value instanceof Float64) return 'float64';
      return Array.isArray(value) ? 'slice' : 'map';
  }
}
