/** Numbers of JSON objects as Go sees them: whole ones are int64, all others float64. */
export type Numeric = number | bigint;

export const isNumeric = (value: unknown): value is Numeric => typeof value === 'number' || typeof value === 'bigint';

/** Whether Go reads the number as int64. Whole numbers beyond int64 are floats. */
export const isInt64 = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

const epsilon = 1e-9;

/** Whether a number passes as an integer: the tolerance is upstream's. (go-openapi/swag IsFloat64AJSONInteger) */
export function isJsonInteger(value: Numeric): boolean {
  if (isInt64(value)) return true;
  const float = value as number;
  if (!Number.isFinite(float) || Math.abs(float) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(float);
  if (whole === 0) return false;
  return Math.abs(float - whole) / (Math.abs(float) + Math.abs(whole)) < epsilon;
}

/** As int64: without its fraction, as Go converts. */
export const truncated = (value: Numeric): Numeric => (typeof value === 'bigint' ? value : Math.trunc(value));

/** The bound that a value is compared with, and that messages show. */
export const boundFor = (value: Numeric, bound: Numeric): Numeric => (isInt64(value) ? truncated(bound) : bound);

export type MultipleProblem = 'not-positive' | 'not-multiple' | undefined;

/** (kube-openapi pkg/validation/validate MultipleOfNativeType) */
export function multipleProblem(value: Numeric, factor: Numeric): MultipleProblem {
  const by = boundFor(value, factor);
  if (by <= 0) return 'not-positive';
  if (isInt64(value)) {
    const rest = typeof value === 'number' && typeof by === 'number' ? value % by : BigInt(value) % BigInt(by);
    return Number(rest) === 0 ? undefined : 'not-multiple';
  }
  const quotient = Number(by) < 1 ? (1 / Number(by)) * Number(value) : Number(value) / Number(by);
  return isJsonInteger(quotient) ? undefined : 'not-multiple';
}

/** A number as Go's %v prints it: exponents from 1e+21 up and below 1e-04, with two digits. */
export function goNumber(value: Numeric): string {
  if (typeof value === 'bigint') return String(value);
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e-4 && size < 1e21) return String(value);
  const [digits, exponent] = value.toExponential().split('e');
  const sign = exponent.startsWith('-') ? '-' : '+';
  return `${digits}e${sign}${exponent.replace(/^[-+]/, '').padStart(2, '0')}`;
}
