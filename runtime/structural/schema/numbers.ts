import { Float64, withoutFloat64 } from '../../machinery/json/float64.ts';

/** A bound of a schema. */
export type Bound = number | bigint;

/** A number as Go decodes it: int64 without fraction and exponent, otherwise float64. */
export type Numeric = Bound | Float64;

export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Float64;

/** Reports whether Go decodes the number as int64. Whole numbers beyond int64 are floats. */
export const isInt64 = (value: Numeric): value is Bound => typeof value === 'bigint' || Number.isSafeInteger(value);

const epsilon = 1e-9;

/**
 * Reports whether the number is accepted as an integer, with upstream's tolerance. (go-openapi/swag
 * IsFloat64AJSONInteger)
 */
export function isJsonInteger(value: Numeric): boolean {
  if (isInt64(value) || value instanceof Float64) return true;
  const float = value as number;
  if (!Number.isFinite(float) || Math.abs(float) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(float);
  if (whole === 0) return false;
  return Math.abs(float - whole) / (Math.abs(float) + Math.abs(whole)) < epsilon;
}

/** Converts to int64 as Go does: drops the fraction. */
export const truncated = (value: Bound): Bound => (typeof value === 'bigint' ? value : Math.trunc(value));

/** Returns the bound in the form for comparison with the value and for messages. */
export const boundFor = (value: Numeric, bound: Bound): Bound => (isInt64(value) ? truncated(bound) : bound);

export type MultipleProblem = 'not-positive' | 'not-multiple' | undefined;

/** (kube-openapi pkg/validation/validate MultipleOfNativeType) */
export function multipleProblem(value: Numeric, factor: Bound): MultipleProblem {
  const by = boundFor(value, factor);
  if (by <= 0) return 'not-positive';
  if (isInt64(value)) {
    const rest = typeof value === 'number' && typeof by === 'number' ? value % by : BigInt(value) % BigInt(by);
    return Number(rest) === 0 ? undefined : 'not-multiple';
  }
  const float = Number(withoutFloat64(value));
  const quotient = Number(by) < 1 ? (1 / Number(by)) * float : float / Number(by);
  return isJsonInteger(quotient) ? undefined : 'not-multiple';
}
