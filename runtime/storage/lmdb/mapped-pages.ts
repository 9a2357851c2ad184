import { readFileSync } from 'node:fs';

/** A page of x86-64 and of most ARM systems; larger ones only make what is told smaller. */
const pageBytes = 4096;

/**
 * How many bytes of files lie in this process's memory because they are mapped: the data file, as far as it was read,
 * and the program itself. Undefined where the system does not say: it is told in /proc, which Linux alone has.
 */
export function mappedBytes(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[2]) * pageBytes;
  } catch {
    return undefined;
  }
}

/** What the data file adds to the memory of this process, from when it was opened. */
export class MappedPages {
  readonly #read: () => number | undefined;
  #before: number | undefined;

  constructor(read = mappedBytes) {
    this.#read = read;
    this.#before = read();
  }

  /** The file was opened just now: nothing of it has been read. */
  opened(): void {
    this.#before = this.#read();
  }

  /** In bytes; 0 where it cannot be told. */
  get grown(): number {
    const now = this.#read();
    return now === undefined || this.#before === undefined ? 0 : Math.max(0, now - this.#before);
  }
}
