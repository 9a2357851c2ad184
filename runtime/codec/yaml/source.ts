import { isAscii, isUtf8 } from 'node:buffer';

/**
 * The size of go-yaml's chunks. It decodes its input in chunks, and reports an error only when it reaches the chunk.
 */
const chunkSize = 512;

/** A YAML stream as text. (go-yaml v2 readerc.go) */
export interface Source {
  /** The decoded text with a final NUL, which no stream may contain. */
  readonly text: string;
  /** The bytes of the text, if it is ASCII. */
  readonly ascii: Buffer | undefined;
  /** The index at which reading fails with `problem`. Infinity if the stream is valid. */
  readonly limit: number;
  readonly problem: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Decodes UTF-8, or UTF-16 with a byte order mark. Never throws: errors are reported at `limit`. */
export function readSource(bytes: Uint8Array): Source {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) {
    const text = `${buffer.toString('latin1')}\0`;
    return text.search(forbidden) === buffer.length ? whole(text, buffer) : readChunks(buffer, 0, utf8);
  }
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return readChunks(buffer, 2, utf16(0));
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return readChunks(buffer, 2, utf16(1));
  const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  if (isUtf8(buffer)) {
    const text = `${buffer.toString('utf8', start)}\0`;
    if (text.search(forbidden) === text.length - 1) return whole(text, undefined);
  }
  return readChunks(buffer, start, utf8);
}

const whole = (text: string, ascii: Buffer | undefined): Source => ({ text, ascii, limit: Infinity, problem: '' });

interface Encoding {
  /** Returns the code of the character at `at` and its length in bytes, or its error. */
  character(bytes: Buffer, at: number): { readonly code: number; readonly size: number } | string;
  /** Returns the length in bytes of a character, from its first bytes. */
  size(bytes: Buffer, at: number): number;
  /** Decodes many characters. Returns undefined if any is invalid. */
  text(bytes: Buffer): string | undefined;
}

function readChunks(bytes: Buffer, start: number, encoding: Encoding): Source {
  let known = '';
  for (let at = start, chunkStart = 0; at < bytes.length; chunkStart = at) {
    const end = endOfChunk(bytes, at, Math.min(chunkStart + chunkSize, bytes.length), encoding);
    const chunk = end > at ? encoding.text(bytes.subarray(at, end)) : undefined;
    if (chunk === undefined || forbidden.test(chunk)) {
      return { text: `${known}\0`, ascii: undefined, limit: known.length, problem: problemOf(bytes, at, encoding) };
    }
    known += chunk;
    at = end;
  }
  return whole(`${known}\0`, undefined);
}

/** Returns the end of a chunk. A character that crosses the end belongs to the next chunk. */
function endOfChunk(bytes: Buffer, at: number, end: number, { size }: Encoding): number {
  for (let rest = Math.min(3, end - at); rest > 0; rest--) {
    if (size(bytes, end - rest) > rest) return end - rest;
  }
  return end;
}

function problemOf(bytes: Buffer, from: number, { character }: Encoding): string {
  for (let at = from; ; ) {
    const found = character(bytes, at);
    if (typeof found === 'string') return found;
    if (forbidden.test(String.fromCodePoint(found.code))) return 'control characters are not allowed';
    at += found.size;
  }
}

const utf8: Encoding = {
  text: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : undefined),
  size(bytes, at) {
    const first = bytes[at] ?? 0;
    return first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  },
  character(bytes, at) {
    const size = utf8.size(bytes, at);
    if (size === 0) return 'invalid leading UTF-8 octet';
    if (at + size > bytes.length) return 'incomplete UTF-8 octet sequence';
    const first = bytes[at] ?? 0;
    let code = size === 1 ? first : first & (0x7f >> size);
    for (const next of bytes.subarray(at + 1, at + size)) {
      if ((next & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
      code = (code << 6) | (next & 0x3f);
    }
    if (size > 1 && code < ([0, 0, 0x80, 0x800, 0x10000][size] ?? 0)) return 'invalid length of a UTF-8 sequence';
    if (isSurrogate(code) || code > 0x10ffff) return 'invalid Unicode character';
    return { code, size };
  },
};

/** @param low the index of the low byte in each pair */
function utf16(low: 0 | 1): Encoding {
  const unit = (bytes: Buffer, at: number): number => (bytes[at + low] ?? 0) | ((bytes[at + 1 - low] ?? 0) << 8);
  return {
    text(bytes) {
      if (bytes.length % 2 > 0) return undefined;
      const text = (low === 0 ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
      return /\p{Cs}/u.test(text) ? undefined : text;
    },
    size(bytes, at) {
      // no character begins inside a unit
      if (at % 2 > 0) return 0;
      return at + 1 < bytes.length && (unit(bytes, at) & 0xfc00) === 0xd800 ? 4 : 2;
    },
    character(bytes, at) {
      if (at + 2 > bytes.length) return 'incomplete UTF-16 character';
      const first = unit(bytes, at);
      if (!isSurrogate(first)) return { code: first, size: 2 };
      if (first >= 0xdc00) return 'unexpected low surrogate area';
      if (at + 4 > bytes.length) return 'incomplete UTF-16 surrogate pair';
      const second = unit(bytes, at + 2);
      if (!isSurrogate(second) || second < 0xdc00) return 'expected low surrogate area';
      return { code: 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff), size: 4 };
    },
  };
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
