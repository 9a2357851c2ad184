/** Bytes of a writer at first. A writer that grew beyond the limit is not reused. */
const initialBytes = 16 * 1024;
const reusedBytes = 1024 * 1024;
/** Bytes up to which a loop copies faster than a call. */
const shortBytes = 48;

let idle: MessageWriter | undefined;

/** Returns the bytes that `write` writes. One buffer serves all calls, so that a message costs one allocation. */
export function writeMessage(write: (writer: MessageWriter) => void): Uint8Array {
  const writer = idle ?? new MessageWriter();
  // A nested call gets a writer of its own.
  idle = undefined;
  try {
    write(writer);
    return writer.finish();
  } finally {
    writer.truncate(0);
    if (writer.capacity <= reusedBytes) idle = writer;
  }
}

/**
 * Writes protobuf fields into one growing buffer. A nested message is written in place: `fork` leaves one byte for its length, and
 * `join` moves the message if its length needs more.
 *
 *     fork    0a _
 *     string  0a _ 0a 01 61
 *     join    0a 03 0a 01 61
 */
export class MessageWriter {
  #buffer: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;
  readonly #forks: number[] = [];

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  /**
   * Returns a copy of the bytes. Not a Buffer: readers of cached encodings then see one class, which halves the time of a list of
   * cached rows.
   */
  finish(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    bytes.set(this.#buffer.subarray(0, this.#length));
    return bytes;
  }

  /** Removes the bytes behind `length`, and the forks. */
  truncate(length: number): void {
    this.#length = length;
    if (length === 0) this.#forks.length = 0;
  }

  /** Writes a varint: a tag, a length, or a value. */
  uint32(value: number): this {
    if (value >= 0 && value <= 0x7f && this.#length < this.#buffer.length) {
      this.#buffer[this.#length++] = value;
      return this;
    }
    if (value >>> 0 !== value) throw new Error(`invalid uint32: ${value}`);
    this.#reserve(5);
    const buffer = this.#buffer;
    let at = this.#length;
    let rest = value;
    while (rest > 0x7f) {
      buffer[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[at++] = rest;
    this.#length = at;
    return this;
  }

  int32(value: number): this {
    if ((value | 0) !== value) throw new Error(`invalid int32: ${value}`);
    return value < 0 ? this.int64(value) : this.uint32(value);
  }

  int64(value: number | bigint): this {
    return this.#varint(BigInt.asUintN(64, BigInt(value)));
  }

  uint64(value: number | bigint): this {
    return this.#varint(BigInt(value));
  }

  bool(value: boolean): this {
    this.#reserve(1);
    this.#buffer[this.#length++] = value ? 1 : 0;
    return this;
  }

  double(value: number): this {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
    return this;
  }

  /** Writes a length and the bytes. */
  bytes(value: Uint8Array): this {
    return this.uint32(value.length).raw(value, 0, value.length);
  }

  /** Writes a length and the text as UTF-8. */
  string(text: string): this {
    if (text.length <= shortBytes && this.#shortAscii(text)) return this;
    const length = Buffer.byteLength(text);
    this.uint32(length);
    this.#reserve(length);
    this.#buffer.write(text, this.#length);
    this.#length += length;
    return this;
  }

  /** Writes the bytes from `start` to `end` without a length. */
  raw(source: Uint8Array, start: number, end: number): this {
    const size = end - start;
    this.#reserve(size);
    const buffer = this.#buffer;
    const at = this.#length;
    if (size > shortBytes) buffer.set(source.subarray(start, end), at);
    else for (let index = 0; index < size; index++) buffer[at + index] = source[start + index] ?? 0;
    this.#length = at + size;
    return this;
  }

  /**
   * Writes a length and the bytes of a JSON string, whose content begins at `start`. Returns the position of its closing quote.
   * Writes nothing and returns -1 if the content has escapes or no end.
   */
  jsonString(json: Uint8Array, start: number): number {
    // One loop looks for the end and copies; nearly all strings are shorter.
    const limit = Math.min(start + 0x7f, json.length);
    this.#reserve(0x80);
    const buffer = this.#buffer;
    const shift = this.#length + 1 - start;
    let at = start;
    for (; at < limit; at++) {
      const byte = json[at] as number;
      if (byte === 0x22) {
        buffer[this.#length] = at - start;
        this.#length = at + shift;
        return at;
      }
      if (byte === 0x5c) return -1;
      buffer[at + shift] = byte;
    }
    for (; at < json.length; at++) {
      const byte = json[at];
      if (byte === 0x5c) return -1;
      if (byte !== 0x22) continue;
      this.uint32(at - start).raw(json, start, at);
      return at;
    }
    return -1;
  }

  /** Begins a nested message. */
  fork(): this {
    this.#reserve(1);
    this.#forks.push(this.#length);
    this.#length++;
    return this;
  }

  /** Ends the nested message. */
  join(): this {
    const start = this.#forks.pop();
    if (start === undefined) throw new Error('no message to join');
    const size = this.#length - start - 1;
    if (size <= 0x7f) {
      this.#buffer[start] = size;
      return this;
    }
    const more = varintLength(size) - 1;
    this.#reserve(more);
    this.#buffer.copyWithin(start + 1 + more, start + 1, this.#length);
    this.#length = start;
    this.uint32(size);
    this.#length += size;
    return this;
  }

  /** Writes bytes of this writer again. */
  repeat(start: number, end: number): void {
    this.#reserve(end - start);
    this.#buffer.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  /** Removes the bytes from `start` to `end`. The bytes behind them take their place. */
  remove(start: number, end: number): void {
    this.#buffer.copyWithin(start, end, this.#length);
    this.#length -= end - start;
  }

  /** Writes a short text and its length. Writes nothing and returns false if the text has other characters than ASCII's. */
  #shortAscii(text: string): boolean {
    const size = text.length;
    this.#reserve(size + 1);
    const buffer = this.#buffer;
    const at = this.#length;
    buffer[at] = size;
    for (let index = 0; index < size; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[at + 1 + index] = code;
    }
    this.#length = at + 1 + size;
    return true;
  }

  #varint(value: bigint): this {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7fn) {
      this.#buffer[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#buffer[this.#length++] = Number(rest);
    return this;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) length++;
  return length;
}
