import { GRPCError } from './grpc-status.ts';

/** The flag for compression, and the length. */
const headSize = 5;

/** The frame of a message that is not compressed. (gRPC over HTTP2, Length-Prefixed-Message) */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headSize + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headSize);
  return frame;
}

/** Finds the messages in the chunks of a stream. */
export class MessageReader {
  readonly #maxMessage: number;
  readonly #onMessage: (message: Buffer) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The size of the frame that begins the chunks, or of its head as long as that is all that is needed. */
  #needed = headSize;

  /** @param maxMessage in bytes */
  constructor(maxMessage: number, onMessage: (message: Buffer) => void) {
    this.#maxMessage = maxMessage;
    this.#onMessage = onMessage;
  }

  /** Whether the stream has ended in the middle of a message, if it has ended. */
  get isInside(): boolean {
    return this.#size > 0;
  }

  /** @throws GRPCError for messages that are compressed or too large; nothing must be read after that */
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
