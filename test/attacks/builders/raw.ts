import type { Attack, Raw } from '../harness/attack.ts';

/** A request with raw lines. */
export const lines = (first: string, ...more: string[]): string => `${[first, ...more].join('\r\n')}\r\n\r\n`;

/** Returns the row for raw bytes. */
export const raw = (name: string, wire: () => Raw['wire'], codes: readonly number[], more: Omit<Raw, 'wire'> = {}): Attack => ({
  name,
  send: () => ({ wire: wire(), ...more }),
  codes,
});
