const [lf, cr] = [10, 13];

/**
 * The lines before a body, as far as they have come. The buffer doubles, and each byte is searched once: a server may send them
 * byte by byte.
 *
 *     HTTP/1.1 200 OK\r\n  a: b\r\n  \r\n  body...
 *                                   ^ end
 */
export class HeadBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #end: number | undefined;
  /** The position after the last complete line. */
  #lineStart = 0;
  #firstLine: 'missing' | 'new' | 'returned' = 'missing';
  #firstLineEnd = 0;

  get length(): number {
    return this.#length;
  }

  /** The position after the empty line that ends the head; undefined until it has come. */
  get end(): number | undefined {
    return this.#end;
  }

  append(bytes: Buffer, from: number): void {
    const start = this.#length;
    this.#length += bytes.length - from;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    bytes.copy(this.#bytes, start, from);
    for (let at = bytes.indexOf(lf, from); at >= 0 && this.#end === undefined; at = bytes.indexOf(lf, at + 1))
      this.#endLine(start + at - from);
  }

  /** Returns the first line once it is complete, and only once. */
  newFirstLine(): string | undefined {
    if (this.#firstLine !== 'new') return undefined;
    this.#firstLine = 'returned';
    return this.text(this.#firstLineEnd);
  }

  /** One character a byte. */
  text(end = this.#length): string {
    return this.#bytes.toString('latin1', 0, end);
  }

  /** @param at the position of the line feed */
  #endLine(at: number): void {
    const isEmpty = at === this.#lineStart || (at === this.#lineStart + 1 && this.#bytes[this.#lineStart] === cr);
    if (this.#firstLine === 'missing') {
      this.#firstLine = 'new';
      this.#firstLineEnd = at;
    } else if (isEmpty) this.#end = at + 1;
    this.#lineStart = at + 1;
  }
}
