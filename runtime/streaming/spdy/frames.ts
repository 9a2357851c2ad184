import { SpdyError } from './spdy-error.ts';

/** The types of control frames. (SPDY/3 2.6) */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export interface ControlFrame {
  readonly kind: 'control';
  /** A type of frameTypes, or an unknown one to ignore. */
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** A part of a data frame, which is read in pieces. */
export interface DataPart {
  readonly kind: 'data';
  readonly streamId: number;
  /** Remaining bytes of the frame. */
  readonly left: number;
  readonly isFinal: boolean;
  readonly data: Buffer;
}

export type Frame = ControlFrame | DataPart;

export const flagFin = 1;
const version = 3;
const headLength = 8;
/** The maximum length, in bytes. (2.2.1 requires at least 8 KiB) */
const maxControlFrame = 64 * 1024;
const noBytes = Buffer.alloc(0);

/** Splits a byte stream into frames. */
export class FrameReader {
  #pending: Buffer = noBytes;
  #data: { streamId: number; flags: number; left: number } | undefined;

  /** @throws SpdyError if the rest is unreadable */
  *push(chunk: Buffer): Generator<Frame> {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const frame = this.#data === undefined ? this.#begin() : this.#continue(this.#data);
      if (frame === undefined) return;
      if (frame !== 'more') yield frame;
    }
  }

  #begin(): Frame | 'more' | undefined {
    const bytes = this.#pending;
    if (bytes.length < headLength) return undefined;
    const first = bytes.readUInt32BE(0);
    const flags = bytes.readUInt8(4);
    const length = bytes.readUIntBE(5, 3);
    if (first < 2 ** 31) {
      this.#pending = bytes.subarray(headLength);
      if (length === 0) return dataPart({ streamId: first, flags, left: 0 }, noBytes);
      this.#data = { streamId: first, flags, left: length };
      return 'more';
    }
    if (((first >>> 16) & 0x7fff) !== version) throw new SpdyError('unsupportedVersion', 'not a frame of SPDY/3');
    if (length > maxControlFrame) throw new SpdyError('frameTooLarge', `a control frame has ${length} bytes`);
    if (bytes.length < headLength + length) return undefined;
    this.#pending = bytes.subarray(headLength + length);
    return {
      kind: 'control',
      type: first & 0xffff,
      flags,
      payload: bytes.subarray(headLength, headLength + length),
    };
  }

  #continue(frame: { streamId: number; flags: number; left: number }): Frame | undefined {
    if (this.#pending.length === 0) return undefined;
    const data = this.#pending.subarray(0, frame.left);
    this.#pending = this.#pending.subarray(data.length);
    frame.left -= data.length;
    if (frame.left === 0) this.#data = undefined;
    return dataPart(frame, data);
  }
}

const dataPart = ({ streamId, flags, left }: { streamId: number; flags: number; left: number }, data: Buffer): Frame => ({
  kind: 'data',
  streamId,
  left,
  data,
  isFinal: left === 0 && (flags & flagFin) !== 0,
});

/** @param words 32-bit words at the start of the payload */
export function controlFrame(type: keyof typeof frameTypes, words: readonly number[], rest: Buffer = noBytes, flags = 0): Buffer {
  const head = Buffer.alloc(headLength + 4 * words.length);
  head.writeUInt16BE(0x8000 + version, 0);
  head.writeUInt16BE(frameTypes[type], 2);
  head.writeUInt32BE(4 * words.length + rest.length, 4);
  head[4] = flags;
  for (const [index, word] of words.entries()) head.writeUInt32BE(word >>> 0, headLength + 4 * index);
  return Buffer.concat([head, rest]);
}

/** Returns the header of a data frame. */
export function dataHead(streamId: number, length: number, isFinal: boolean): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE(length, 4);
  head[4] = isFinal ? flagFin : 0;
  return head;
}
