import type { Attack, Raw } from '../harness/attack.ts';

/** A request whose lines are written by hand. */
export const lines = (first: string, ...more: string[]): string => `${[first, ...more].join('\r\n')}\r\n\r\n`;

/** The row of bytes as they are. */
export const raw = (
  name: string,
  wire: () => Raw['wire'],
  answers: readonly number[],
  more: Omit<Raw, 'wire'> = {},
): Attack => ({
  name,
  send: () => ({ wire: wire(), ...more }),
  answers,
});
