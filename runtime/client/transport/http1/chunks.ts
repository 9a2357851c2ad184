import { trimEnd } from './response-head.ts';

/** The maximum length of the line before a chunk, in bytes. (http/internal maxLineLength) */
const maxLineLength = 4096;
/** Allowed bytes of chunk lines: per chunk, per byte of data, and in excess of both. */
const freeBytes = { chunk: 16, data: 2, rest: 16 * 1024 };
/** The maximum size of trailers, in bytes. (http.Transport ReadBufferSize) */
const maxTrailer = 4096;
const longTrailer = 'http: suspiciously long trailer after chunked body';
const [cr, lf] = [13, 10];

/**
 * Checks the chunks of a body as Go does, and writes them in a form that Node's parser accepts. (http/internal
 * chunkedReader)
 */
export class Chunks {
  #state: 'line' | 'data' | 'end' | 'trailer' | 'over' = 'line';
  /** The beginning of an incomplete line. */
  #line = '';
  /** Missing bytes of the current chunk. */
  #missing = 0;
  /** Bytes of chunk lines beyond the allowance per chunk and per byte of data. */
  #excess = 0;

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** The error of a body that ends here; undefined if being cut off is its only error. */
  get endProblem(): string | undefined {
    if (this.#state !== 'trailer') return undefined;
    return this.#line.length < 2 ? 'http: unexpected EOF reading trailer' : longTrailer;
  }

  /**
   * Reads bytes from `at` on. Returns the index of the first unread byte, which is after the last chunk or the end of
   * the bytes, or an error message.
   */
  read(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number | string {
    let next = at;
    while (next < bytes.length && this.#state !== 'over') {
      const end = this.#state === 'data' ? this.#readData(bytes, next, write) : this.#readLine(bytes, next, write);
      if (typeof end === 'string') return end;
      next = end;
    }
    return next;
  }

  #readData(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number {
    const data = bytes.subarray(at, at + this.#missing);
    write(data);
    this.#missing -= data.length;
    if (this.#missing === 0) this.#state = 'end';
    return at + data.length;
  }

  #readLine(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number | string {
    if (this.#state === 'end') return this.#readEnd(bytes, at, write);
    if (this.#state === 'trailer') return this.#readTrailer(bytes, at, write);
    const found = bytes.indexOf(lf, at);
    const end = found < 0 ? bytes.length : found + 1;
    this.#line += bytes.toString('latin1', at, end);
    if (this.#line.length > maxLineLength || (found < 0 && this.#line.length === maxLineLength)) return 'header line too long';
    if (found < 0) return end;
    const line = this.#line;
    this.#line = '';
    return this.#beginChunk(line, write) ?? end;
  }

  /** Reads the CRLF after a chunk's data. */
  #readEnd(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number | string {
    this.#line += String.fromCharCode(bytes.readUInt8(at));
    if (this.#line.length < 2) return at + 1;
    if (this.#line !== '\r\n') return 'malformed chunked encoding';
    this.#line = '';
    this.#state = 'line';
    write(Buffer.of(cr, lf));
    return at + 1;
  }

  #beginChunk(line: string, write: (bytes: Buffer) => void): string | undefined {
    const end = line.indexOf('\r');
    if (end < 0) return 'chunked line ends with bare LF';
    if (end !== line.length - 2) return 'invalid CR in chunked line';
    const content = line.slice(0, end);
    if (content.length >= maxLineLength) return 'header line too long';
    const digits = trimEnd(content).replace(/;.*$/s, '');
    if (digits === '') return 'empty hex number for chunk length';
    if (!/^[\da-f]{1,16}/i.test(digits) || /[^\da-f]/i.test(digits.slice(0, 17))) return 'invalid byte in chunk length';
    if (digits.length > 16) return 'http chunk length too large';
    this.#missing = Number(`0x${digits}`);
    const size = content.length + 2 - freeBytes.chunk - freeBytes.data * this.#missing;
    this.#excess = Math.max(this.#excess + size, 0);
    if (this.#excess > freeBytes.rest) return 'chunked encoding contains too much non-data';
    this.#state = this.#missing === 0 ? 'trailer' : 'data';
    if (this.#missing > 0) write(Buffer.from(`${digits}\r\n`));
    return undefined;
  }

  /** Drops the trailers. An empty line ends them. */
  #readTrailer(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number | string {
    for (let next = at; next < bytes.length; ) {
      this.#line += String.fromCharCode(bytes.readUInt8(next));
      next += 1;
      if (this.#line === '\r\n' || this.#line.endsWith('\r\n\r\n')) {
        this.#state = 'over';
        write(Buffer.from('0\r\n\r\n'));
        return next;
      }
      if (this.#line.length >= maxTrailer) return longTrailer;
    }
    return bytes.length;
  }
}
