import { type AttackResponse, noResponse } from './exchange.ts';

/** Retained bytes of a body. */
const kept = 256 * 1024;
const lastChunk = Buffer.from('0\r\n\r\n');

/** Reads one HTTP/1.1 response as it arrives. Skips informational responses except 101. */
export class ResponseReader {
  readonly #isHead: boolean;
  #head = Buffer.alloc(0);
  #response: AttackResponse = noResponse;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #tail = Buffer.alloc(0);

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  /** Reports whether the response is complete. */
  take(chunk: Buffer): boolean {
    if (this.#response.status !== 0) return this.#takeBody(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    for (;;) {
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return false;
      const [first, ...lines] = this.#head.toString('latin1', 0, end).split('\r\n');
      const rest = this.#head.subarray(end + 4);
      this.#head = Buffer.from(rest);
      const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
      if (status >= 100 && status < 200 && status !== 101) continue;
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
      this.#response = { ...noResponse, status, headers };
      return status === 101 || this.#isHead || this.#takeBody(rest);
    }
  }

  get response(): AttackResponse {
    return { ...this.#response, bytes: this.#bytes, body: Buffer.concat(this.#parts).toString() };
  }

  #takeBody(chunk: Buffer): boolean {
    if (this.#bytes < kept) this.#parts.push(chunk.subarray(0, kept - this.#bytes));
    this.#bytes += chunk.length;
    const { status, headers } = this.#response;
    if (status === 204 || status === 304) return true;
    if (headers['transfer-encoding'] === 'chunked') {
      // the end may arrive in pieces
      this.#tail = Buffer.concat([this.#tail, chunk.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
      return this.#tail.equals(lastChunk);
    }
    const length = headers['content-length'];
    return length !== undefined && this.#bytes >= Number(length);
  }
}
