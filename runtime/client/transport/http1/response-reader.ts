import { NetworkError } from '../network-error.ts';
import { Chunks } from './chunks.ts';
import { HeadBuffer } from './head-buffer.ts';
import { problemOfLines, readResponseHead } from './response-head.ts';

/** The maximum bytes of the lines before a body. (Go: 10 MiB) */
const maxHeadSize = 1024 * 1024;

const broken = (why: string): NetworkError => new NetworkError(`net/http: HTTP/1.x transport connection broken: ${why}`);

/**
 * Reads the responses of a connection as Go does, and writes them in the form that Node's parser accepts. The states of a response:
 *
 *     head ─┬─> length, chunks ──> over
 *           ├─> close
 *           └─> over
 *
 * and hints (1xx) lead from head to head.
 */
export class ResponseReader {
  #state: 'head' | 'length' | 'chunks' | 'close' | 'over' = 'over';
  #method = 'GET';
  #head = new HeadBuffer();
  #missing = 0;
  #chunks = new Chunks();
  #hasExtra = false;

  /** Bytes have come that belong to no response. */
  get hasExtra(): boolean {
    return this.#hasExtra;
  }

  /** Expects the response to a request with this method. */
  begin(method: string): void {
    this.#method = method;
    this.#state = 'head';
    this.#head = new HeadBuffer();
  }

  /** Reads received bytes. @throws NetworkError */
  read(bytes: Buffer, write: (bytes: Buffer) => void): void {
    for (let at = 0; at < bytes.length; ) {
      switch (this.#state) {
        case 'head':
          at = this.#readHead(bytes, at, write);
          break;
        case 'length':
          at = this.#readLength(bytes, at, write);
          break;
        case 'chunks':
          at = this.#readChunks(bytes, at, write);
          break;
        case 'close':
          write(at === 0 ? bytes : bytes.subarray(at));
          return;
        case 'over':
          this.#hasExtra = true;
          return;
      }
    }
  }

  /** Returns the error of a response that ends here, unless Node's parser reports it. */
  end(): NetworkError | undefined {
    if (this.#state === 'head' && this.#head.length > 0) {
      return broken(problemOfLines(this.#head.text()) ?? 'unexpected EOF');
    }
    const problem = this.#state === 'chunks' ? this.#chunks.endProblem : undefined;
    return problem === undefined ? undefined : new NetworkError(problem);
  }

  #readHead(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number {
    const known = this.#head.length;
    this.#head.append(bytes, at);
    const end = this.#head.end;
    if ((end ?? this.#head.length) > maxHeadSize) {
      throw new NetworkError(`net/http: server response headers exceeded ${maxHeadSize} bytes; aborted`);
    }
    if (end === undefined) {
      this.#refuseFirstLine();
      return bytes.length;
    }
    const read = readResponseHead(this.#head.text(end), this.#method);
    this.#head = new HeadBuffer();
    if (typeof read === 'string') throw broken(read);
    const { status, text, framing } = read;
    write(Buffer.from(text, 'latin1'));
    // a connection that is upgraded has no more responses
    const isHint = status < 200 && status !== 101;
    if (status === 101) this.#state = 'close';
    else if (!isHint) this.#state = framing.kind === 'none' ? 'over' : framing.kind;
    if (framing.kind === 'length') this.#missing = framing.length;
    if (framing.kind === 'length' && framing.length === 0) this.#state = 'over';
    this.#chunks = new Chunks();
    return at + end - known;
  }

  /** Refuses a first line that is no status line at once, because nothing may follow it. */
  #refuseFirstLine(): void {
    const line = this.#head.newFirstLine();
    const problem = line === undefined ? undefined : problemOfLines(line);
    if (problem !== undefined) throw broken(problem);
  }

  #readLength(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number {
    const part = bytes.subarray(at, at + this.#missing);
    this.#missing -= part.length;
    if (this.#missing === 0) this.#state = 'over';
    write(part);
    return at + part.length;
  }

  #readChunks(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number {
    const end = this.#chunks.read(bytes, at, write);
    if (typeof end === 'string') throw new NetworkError(end);
    if (this.#chunks.isOver) this.#state = 'over';
    return end;
  }
}
