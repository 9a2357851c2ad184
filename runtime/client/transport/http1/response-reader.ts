import { NetworkError } from '../network-error.ts';
import { Chunks } from './chunks.ts';
import { problemOfLines, readResponseHead } from './response-head.ts';

/** The most bytes of the lines before a body. (Go: 10 MiB) */
const maxHeadSize = 1024 * 1024;
const lf = 10;

const broken = (why: string): NetworkError => new NetworkError(`net/http: HTTP/1.x transport connection broken: ${why}`);

/**
 * Reads the responses of a connection as Go does, and writes them as Node's parser accepts them. Of each, the states are
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
  #head: Buffer = Buffer.alloc(0);
  #missing = 0;
  #chunks = new Chunks();
  #hasExtra = false;

  /** Whether bytes have come that belong to no response. */
  get hasExtra(): boolean {
    return this.#hasExtra;
  }

  /** Begins the response to a request. */
  begin(method: string): void {
    this.#method = method;
    this.#state = 'head';
    this.#head = Buffer.alloc(0);
  }

  /** Reads what has come. @throws NetworkError */
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

  /** Why a response that ends here is broken, if that is not for Node to see. */
  end(): NetworkError | undefined {
    if (this.#state === 'head' && this.#head.length > 0) {
      return broken(problemOfLines(this.#head.toString('latin1')) ?? 'unexpected EOF');
    }
    const problem = this.#state === 'chunks' ? this.#chunks.endProblem : undefined;
    return problem === undefined ? undefined : new NetworkError(problem);
  }

  #readHead(bytes: Buffer, at: number, write: (bytes: Buffer) => void): number {
    const known = this.#head.length;
    const head = Buffer.concat([this.#head, bytes.subarray(at)]);
    const end = endOfHead(head, known);
    if ((end ?? head.length) > maxHeadSize) {
      throw new NetworkError(`net/http: server response headers exceeded ${maxHeadSize} bytes; aborted`);
    }
    this.#head = head;
    if (end === undefined) {
      this.#refuseFirstLine(head);
      return bytes.length;
    }
    this.#head = Buffer.alloc(0);
    const read = readResponseHead(head.toString('latin1', 0, end), this.#method);
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

  /** A line that is no status line is told of at once, as nothing may follow. */
  #refuseFirstLine(head: Buffer): void {
    const end = head.indexOf(lf);
    if (end < 0) return;
    const problem = problemOfLines(head.toString('latin1', 0, end));
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

/** Where the empty line ends that ends a head; undefined if it has not come. @param known bytes that have been searched */
function endOfHead(head: Buffer, known: number): number | undefined {
  for (let at = head.indexOf(lf, Math.max(known - 2, 0)); at >= 0; at = head.indexOf(lf, at + 1)) {
    const next = head[at + 1] === 13 ? at + 2 : at + 1;
    if (head[next] === lf) return next + 1;
  }
  return undefined;
}
