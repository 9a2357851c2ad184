/** A position in an expression. */
export interface Location {
  /** The line, from 1; -1 for an error without a position. */
  readonly line: number;
  /** The column in code points, from 0. */
  readonly column: number;
}

export const noLocation: Location = { line: -1, column: -1 };

/** The text of an expression and its lines. Offsets are in UTF-16 units. */
export class Source {
  readonly text: string;
  readonly #lineStarts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
  }

  location(offset: number): Location {
    const line = Math.max(
      0,
      this.#lineStarts.findLastIndex((start) => start <= offset),
    );
    const start = this.#lineStarts[line];
    return { line: line + 1, column: codePointLength(this.text.slice(start, offset)) };
  }

  line(number: number): string | undefined {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return undefined;
    const next = this.#lineStarts[number];
    const end = next === undefined ? this.text.length : next - 1;
    return this.text.slice(start, end);
  }
}

/** Returns the number of code points. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    length--;
    i++;
  }
  return length;
}
