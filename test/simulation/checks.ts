import { deepStrictEqual } from 'node:assert/strict';

/** Fast equality: it computes differences only for unequal values. */
export function expectSame(got: unknown, want: unknown, about?: string): void {
  if (got === want || JSON.stringify(got) === JSON.stringify(want)) return;
  try {
    deepStrictEqual(got, want);
  } catch (error) {
    if (about !== undefined) (error as Error).message = `${about}: ${(error as Error).message}`;
    throw error;
  }
}
