import { readFileSync } from 'node:fs';

/** The page size of x86-64 and most ARM systems. With larger pages, the result is too small. */
const pageBytes = 4096;

/**
 * Returns the resident bytes of this process's mapped files: the pages of the data file that were read, and the program
 * itself. Returns undefined without /proc, which only Linux has.
 */
export function mappedBytes(): number | undefined {
  try {
    return Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[2]) * pageBytes;
  } catch {
    return undefined;
  }
}

/** Measures the memory that the data file takes since it was opened. */
export class MappedPages {
  readonly #read: () => number | undefined;
  #before: number | undefined;

  constructor(read = mappedBytes) {
    this.#read = read;
    this.#before = read();
  }

  /** Starts over after the file was opened. */
  opened(): void {
    this.#before = this.#read();
  }

  /** Bytes; 0 if unknown. */
  get growth(): number {
    const now = this.#read();
    return now === undefined || this.#before === undefined ? 0 : Math.max(0, now - this.#before);
  }
}
