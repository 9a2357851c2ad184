/** An integer in JSON: a number if it is exact, a bigint beyond 2^53. */
export type Integer = number | bigint;

export const maxInt32 = 2 ** 31 - 1;
export const isInt32 = (value: number): boolean => value >= -(2 ** 31) && value <= maxInt32;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;
export const maxUint64 = 2n ** 64n - 1n;

/** Returns the canonical form of an integer: a number if it is safe, otherwise a bigint. */
export function canonicalInt64(value: Integer): Integer {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : BigInt(value);
  return value >= -0x1fffffffffffffn && value <= 0x1fffffffffffffn ? Number(value) : value;
}
