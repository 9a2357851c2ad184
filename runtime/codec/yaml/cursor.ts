import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { isBreak, isBreakOrEnd, isSpaceOrEnd } from './characters.ts';
import type { Source } from './source.ts';

/** The minimum length of slices that keep the whole text alive; shorter slices are copies. (V8's SlicedString) */
const shortest = 13;

/** A position in a stream, and its line. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** The line, from 0. */
  line = 0;
  /** The index of the line's first character. */
  lineStart = 0;
  readonly #source: Source;
  readonly #limit: number;
  /** Whether the text has surrogate pairs. */
  readonly #hasPairs: boolean;
  /** The number of surrogate pairs before `#countedTo`. */
  #pairs = 0;
  #countedTo = 0;

  constructor(source: Source) {
    this.text = source.text;
    this.#source = source;
    this.#limit = source.limit;
    this.#hasPairs = source.ascii === undefined && /[\ud800-\udbff]/.test(source.text);
  }

  /** The number of characters before the cursor. */
  get index(): number {
    if (!this.#hasPairs) return this.at;
    for (; this.#countedTo < this.at; this.#countedTo++) {
      if ((this.text.charCodeAt(this.#countedTo) & 0xfc00) === 0xd800) this.#pairs++;
    }
    return this.at - this.#pairs;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** Returns the code of the character `ahead` characters after the cursor. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  /** Requires that this many characters can be read. @throws DecodeError of the source */
  need(count: number): void {
    if (this.at + count > this.#limit) throw new DecodeError(`yaml: ${this.#source.problem}`);
  }

  /** Returns an error of the scanner at the line of the cursor. As in go-yaml, the first line is not named. */
  fail(problem: string): DecodeError {
    return new DecodeError(this.line === 0 ? `yaml: ${problem}` : `yaml: line ${this.line + 1}: ${problem}`);
  }

  /** Skips the line break at the cursor. CR LF is one break. */
  skipBreak(): void {
    if (this.peek() === 0x0d && this.peek(1) === 0x0a) this.at++;
    this.at++;
    this.line++;
    this.lineStart = this.at;
  }

  skipBlanks(): void {
    while (this.peek() === 0x20 || this.peek() === 0x09) this.at++;
    this.need(1);
  }

  /** Skips to the end of the line if a comment begins here. */
  skipComment(): void {
    if (this.peek() !== 0x23) return;
    const { text } = this;
    let { at } = this;
    while (!isBreakOrEnd(text.charCodeAt(at))) at++;
    this.at = at;
    this.need(1);
  }

  /** Reports whether `---` or `...` is at the beginning of a line and before white space. */
  atDocumentMark(): boolean {
    if (this.at !== this.lineStart) return false;
    const c = this.peek();
    return (c === 0x2d || c === 0x2e) && this.peek(1) === c && this.peek(2) === c && isSpaceOrEnd(this.peek(3));
  }

  /** Copies the text between two positions. */
  cut(start: number, end: number): string {
    if (end - start < shortest) return this.text.slice(start, end);
    const { ascii } = this.#source;
    if (ascii !== undefined) return ascii.toString('latin1', start, end);
    return Buffer.from(this.text.slice(start, end)).toString();
  }

  /**
   * Folds the white space between two lines of a flow scalar: one break becomes a space, and of several breaks all but
   * the first are kept. LS and PS are always kept.
   */
  fold(start: number, end: number): string {
    const breaks = this.breaks(start, end);
    if (breaks === '\n') return ' ';
    return breaks[0] === '\n' ? breaks.slice(1) : breaks;
  }

  /** Returns the line breaks in white space. LS and PS are kept, others become LF. */
  breaks(start: number, end: number): string {
    const { text } = this;
    let count = 0;
    for (let at = start; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c > 0xff)
        return text
          .slice(start, end)
          .replace(/[ \t]+/g, '')
          .replace(/\r\n?|\x85/g, '\n');
      if (isBreak(c) && !(c === 0x0a && at > start && text.charCodeAt(at - 1) === 0x0d)) count++;
    }
    return count < 2 ? '\n'.slice(0, count) : '\n'.repeat(count);
  }

  get onBreak(): boolean {
    return isBreak(this.peek());
  }
}
