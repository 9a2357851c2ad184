import { deepStrictEqual } from 'node:assert/strict';

/** Fast equality: differences are computed only if there are any. */
export function expectSame(got: unknown, want: unknown, about?: string): void {
  if (got === want || JSON.stringify(got) === JSON.stringify(want)) return;
  try {
    deepStrictEqual(got, want);
  } catch (error) {
    if (about !== undefined) (error as Error).message = `${about}: ${(error as Error).message}`;
    throw error;
  }
}
