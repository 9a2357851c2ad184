import { StringDecoder } from 'node:string_decoder';

/** A line of a container's output. */
export interface WrittenLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The line without a newline. */
  readonly text: string;
}

/** The most bytes of a log and of all logs together, and the most lines. */
const maxBytes = 1024 * 1024;
const maxAll = 64 * 1024 * 1024;
const maxLines = 10_000;
/** Bytes that each log keeps whatever others use. */
const least = 16 * 1024;
/** What a line takes besides its text. */
const perLine = 32;

let allBytes = 0;

/** The output of one run of a container. Old lines are dropped when there are too many. */
export class ProgramLog {
  readonly #lines: WrittenLine[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #decoder = new StringDecoder('utf8');
  #dropped = 0;
  #bytes = 0;
  #pending = '';
  isClosed = false;

  /** The number of lines, and of those that are no longer there. */
  get length(): number {
    return this.#dropped + this.#lines.length;
  }

  /** Returns the lines from a number on. */
  from(number: number): readonly WrittenLine[] {
    return this.#lines.slice(Math.max(0, number - this.#dropped));
  }

  write(data: string | Buffer, at: number): void {
    if (this.isClosed) return;
    const complete = (this.#pending + (typeof data === 'string' ? data : this.#decoder.write(data))).split('\n');
    this.#pending = complete.pop() ?? '';
    for (const text of complete) this.#add({ at, text });
    if (this.#pending.length > maxBytes / 4) {
      this.#add({ at, text: this.#pending });
      this.#pending = '';
    }
    if (complete.length > 0) this.#notify();
  }

  /** Notes that nothing more will be written. */
  close(at: number): void {
    if (this.isClosed) return;
    if (this.#pending !== '') this.#add({ at, text: this.#pending });
    this.#pending = '';
    this.isClosed = true;
    this.#notify();
  }

  /** Drops all lines. */
  clear(): void {
    allBytes -= this.#bytes;
    this.#bytes = 0;
    this.#dropped += this.#lines.length;
    this.#lines.length = 0;
  }

  /** Calls the listener after each change. Returns a function that forgets it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the end of the log, at most so many characters and lines. */
  tail(characters: number, lines: number): string {
    const text = this.#lines
      .slice(-lines)
      .map((line) => `${line.text}\n`)
      .join('');
    return text.slice(-characters);
  }

  #add(line: WrittenLine): void {
    const size = line.text.length + perLine;
    this.#lines.push(line);
    this.#bytes += size;
    allBytes += size;
    const isOver = (): boolean => this.#bytes > maxBytes || this.#lines.length > maxLines || (allBytes > maxAll && this.#bytes > least);
    if (!isOver()) return;
    // drops an eighth at once
    const count = Math.max(1, this.#lines.length >> 3);
    for (const { text } of this.#lines.splice(0, count)) {
      this.#bytes -= text.length + perLine;
      allBytes -= text.length + perLine;
    }
    this.#dropped += count;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
