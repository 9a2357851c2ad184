import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseRequest } from '../../filters/request-info.ts';
import { ApiContext } from '../../http/context.ts';
import type { WorkerAnswer, WorkerRequest } from './protocol.ts';

/** What endpoints use of a response, for an answer that goes to another thread. */
class CapturedResponse {
  headersSent = false;
  writableEnded = false;
  statusCode = 404;
  body: Uint8Array = new Uint8Array();
  readonly #headers = new Map<string, unknown>();

  setHeader(name: string, value: unknown): void {
    this.#headers.set(name.toLowerCase(), value);
  }

  getHeader(name: string): unknown {
    return this.#headers.get(name.toLowerCase());
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  writeHead(code: number): void {
    this.statusCode = code;
    this.headersSent = true;
  }

  end(body?: Uint8Array): void {
    if (body !== undefined) this.body = body;
    this.writableEnded = true;
  }
}

/** A request that came from another thread, with what its endpoint answers. */
export class CapturedRequest {
  readonly ctx: ApiContext;
  readonly #response = new CapturedResponse();

  constructor({ method, url, headers, auditId, receivedAt, user, cbor, body }: WorkerRequest) {
    // answers over HTTP/1 wait for others of their turn
    const request = { method, url, headers, httpVersionMajor: 2 };
    this.ctx = new ApiContext(request as unknown as IncomingMessage, this.#response as unknown as ServerResponse);
    const state = parseRequest(method, url, auditId, receivedAt);
    Object.assign(state, { user, cbor, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) });
    this.ctx.state = state;
  }

  get warnings(): readonly string[] {
    return this.ctx.state.warnings;
  }

  /** @throws Error where there is none */
  answer(): WorkerAnswer {
    const { statusCode: code, writableEnded, body } = this.#response;
    if (!writableEnded) throw new Error('the request was left without an answer');
    const contentType = String(this.#response.getHeader('Content-Type'));
    return { code, contentType, body, warnings: this.warnings };
  }
}
