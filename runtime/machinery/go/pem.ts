/** A block of PEM text, for instance a certificate. */
export interface PemBlock {
  /** The text after `BEGIN`. */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';
const notBase64 = /[^A-Za-z0-9+/=\s]/g;

/**
 * Reads the blocks of a PEM text one by one, and skips other text. The work is linear, even if many lines begin a block
 * without an end. (encoding/pem Decode)
 */
export class PemReader {
  readonly #text: string;
  #at = 0;
  /** Results of the last searches: the next `end`, and the next character outside of base64. */
  #nextEnd = -1;
  #nextBad = -1;

  /** @param text has one character for each byte */
  constructor(text: string) {
    this.#text = text;
  }

  /** Reports whether nothing follows the last block. */
  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Returns the next block. Without one, the position stays. */
  next(): PemBlock | undefined {
    let at = this.#at;
    for (;;) {
      at = this.#afterBegin(at);
      if (at < 0) return undefined;
      const typeLine = lineAt(this.#text, at);
      at = typeLine.next;
      if (!typeLine.line.endsWith(dashes)) continue;
      const type = typeLine.line.slice(0, -dashes.length);
      const start = this.#afterHeaders(at);
      if (start === undefined) return undefined;
      const block = this.#blockAt(type, start, start > at);
      at = start;
      if (block !== undefined) return block;
    }
  }

  #afterBegin(at: number): number {
    if (this.#text.startsWith(begin, at)) return at + begin.length;
    const found = this.#text.indexOf(`\n${begin}`, at);
    return found < 0 ? -1 : found + 1 + begin.length;
  }

  /** Returns undefined if the text ends before a line without a colon. */
  #afterHeaders(at: number): number | undefined {
    let next = at;
    while (next < this.#text.length) {
      const header = lineAt(this.#text, next);
      if (!header.line.includes(':')) return next;
      next = header.next;
    }
    return undefined;
  }

  #blockAt(type: string, start: number, hasHeaders: boolean): PemBlock | undefined {
    const text = this.#text;
    // an empty block without headers ends at once
    const isEmpty = !hasHeaders && text.startsWith(end.slice(1), start);
    const bodyEnd = isEmpty ? start : this.#endAfter(start);
    const trailer = bodyEnd + end.length - (isEmpty ? 1 : 0);
    if (!text.startsWith(`${type}${dashes}`, trailer)) return undefined;
    const last = lineAt(text, trailer + type.length + dashes.length);
    if (last.line !== '' || this.#badAfter(start) < bodyEnd) return undefined;
    const base64 = text.slice(start, bodyEnd).replace(/\s+/g, '');
    if (base64.length % 4 !== 0 || !/^[^=]*={0,2}$/.test(base64)) return undefined;
    this.#at = last.next;
    return { type, hasHeaders, bytes: Buffer.from(base64, 'base64') };
  }

  #endAfter(start: number): number {
    if (this.#nextEnd < start) {
      const found = this.#text.indexOf(end, start);
      this.#nextEnd = found < 0 ? this.#text.length : found;
    }
    return this.#nextEnd;
  }

  #badAfter(start: number): number {
    if (this.#nextBad < start) {
      notBase64.lastIndex = start;
      this.#nextBad = notBase64.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#nextBad;
  }
}

/** Returns the line at an offset, without white space at its end, and the start of the next line. */
function lineAt(text: string, at: number): { line: string; next: number } {
  const found = text.indexOf('\n', at);
  const lineEnd = found < 0 ? text.length : found;
  return { line: text.slice(at, lineEnd).trimEnd(), next: lineEnd + 1 };
}

/** Writes one block. (encoding/pem EncodeToMemory) */
export function encodePem(type: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
