import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { maxInt64, minInt64 } from '../../machinery/scalars/integers.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  scaledQuantityValue,
  subtractQuantities,
} from '../../machinery/scalars/quantity.ts';
import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { boolType, doubleType, intType, stringType, structType, type Type } from '../types/type.ts';
import { CelError, Double, intValue, type Value } from '../values/value.ts';

export const quantityType = structType('kubernetes.Quantity');

class QuantityValue {
  readonly tag = 'opaque';
  readonly type = quantityType;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof QuantityValue ? compareQuantities(this.quantity, other.quantity) === 0 : undefined;
  }
}

function parse(text: string): Quantity | string {
  try {
    return parseQuantity(text);
  } catch (error) {
    if (isDecodeError(error)) return error.message;
    throw error;
  }
}

/** Returns the value as an int64; undefined if it has a fraction or is out of range. */
function asInteger(quantity: Quantity): bigint | undefined {
  const whole = scaledQuantityValue(quantity, 0);
  if (whole > maxInt64 || whole < minInt64) return undefined;
  const exact = compareQuantities(quantity, { unscaled: whole, scale: 0, format: 'DecimalSI' }) === 0;
  return exact ? whole : undefined;
}

const quantityOf = (value: Value): Quantity => (value as QuantityValue).quantity;
const ofInt = (value: Value): Quantity => ({ unscaled: BigInt(value as number), scale: 0, format: 'DecimalExponent' });

function test(name: string, id: string, result: Type, of: (a: Quantity, b: Quantity) => Value): FunctionDecl {
  return declare(name, [member(id, [quantityType, quantityType], result, (a, b) => of(quantityOf(a), quantityOf(b)))]);
}

function get(name: string, id: string, result: Type, of: (quantity: Quantity) => Value): FunctionDecl {
  return declare(name, [member(id, [quantityType], result, (value) => of(quantityOf(value)))]);
}

function sum(name: string, id: string, combine: (a: Quantity, b: Quantity) => Quantity): FunctionDecl {
  return declare(name, [
    member(id, [quantityType, quantityType], quantityType, (a, b) => new QuantityValue(combine(quantityOf(a), quantityOf(b)))),
    member(`${id}_int`, [quantityType, intType], quantityType, (a, b) => new QuantityValue(combine(quantityOf(a), ofInt(b)))),
  ]);
}

/** Resource quantities. (apiserver pkg/cel/library/quantity.go) */
export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare('quantity', [
      global('string_to_quantity', [stringType], quantityType, (text) => {
        const quantity = parse(text as string);
        return typeof quantity === 'string' ? new CelError(quantity) : new QuantityValue(quantity);
      }),
    ]),
    declare('isQuantity', [global('is_quantity_string', [stringType], boolType, (text) => typeof parse(text as string) !== 'string')]),
    declare('sign', [
      global('quantity_sign', [quantityType], intType, (value) => {
        const { unscaled } = quantityOf(value);
        return unscaled === 0n ? 0 : unscaled > 0n ? 1 : -1;
      }),
    ]),
    test('isGreaterThan', 'quantity_is_greater_than', boolType, (a, b) => compareQuantities(a, b) > 0),
    test('isLessThan', 'quantity_is_less_than', boolType, (a, b) => compareQuantities(a, b) < 0),
    test('compareTo', 'quantity_compare_to', intType, compareQuantities),
    get('asApproximateFloat', 'quantity_get_float', doubleType, ({ unscaled, scale }) => new Double(Number(`${unscaled}e${scale}`))),
    get('asInteger', 'quantity_get_int', intType, (quantity) => {
      const whole = asInteger(quantity);
      return whole === undefined ? new CelError('cannot convert value to integer') : intValue(whole);
    }),
    get('isInteger', 'quantity_is_integer', boolType, (quantity) => asInteger(quantity) !== undefined),
    sum('add', 'quantity_add', addQuantities),
    sum('sub', 'quantity_sub', subtractQuantities),
  ],
};
