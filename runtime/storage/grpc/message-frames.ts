import { GRPCError } from './grpc-status.ts';

/** The size of the compression flag and the length. */
const headSize = 5;

/** Returns the frame of an uncompressed message. (gRPC over HTTP2, Length-Prefixed-Message) */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headSize + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headSize);
  return frame;
}

/** Reads messages from the chunks of a stream. */
export class MessageReader {
  readonly #maxMessage: number;
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The size of the first frame, or of its head while the length is unknown. */
  #needed = headSize;

  /** @param maxMessage bytes */
  constructor(maxMessage: number, onMessage: (message: Buffer) => void) {
    this.#maxMessage = maxMessage;
    this.#onMessage = onMessage;
  }

  /** Whether the data so far ends in the middle of a message. */
  get isInside(): boolean {
    return this.#size > 0;
  }

  /** @throws GRPCError for compressed and too large messages; no more chunks may follow */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed) {
      const [first, ...more] = this.#chunks;
      const bytes = first && more.length === 0 ? first : Buffer.concat(this.#chunks);
      this.#needed = headSize + this.#lengthIn(bytes);
      if (this.#size < this.#needed) {
        this.#chunks = [bytes];
        return;
      }
      const rest = bytes.subarray(this.#needed);
      const message = bytes.subarray(headSize, this.#needed);
      this.#chunks = rest.length === 0 ? [] : [rest];
      this.#size = rest.length;
      this.#needed = headSize;
      this.#onMessage(message);
    }
  }

  #lengthIn(head: Buffer): number {
    if (head[0] !== 0) throw new GRPCError('Internal', 'the response is compressed');
    const length = head.readUInt32BE(1);
    if (length <= this.#maxMessage) return length;
    throw new GRPCError('ResourceExhausted', `grpc: received message larger than max (${length} vs. ${this.#maxMessage})`);
  }
}
