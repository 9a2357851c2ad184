import type { Input } from './input.ts';
import type { Write } from './process.ts';

/** The streams of a command. */
export interface Streams {
  readonly stdin: Input;
  readonly out: Write;
  readonly err: Write;
  /** Other outputs, by descriptor. */
  readonly others: ReadonlyMap<number, Write>;
}
