import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestAudit } from '../../audit/request-audit.ts';
import { parseRequest } from '../../filters/request-info.ts';
import { ApiContext } from '../../http/context.ts';
import type { WorkerNotes, WorkerRequest, WorkerResponse } from './protocol.ts';

/** The part of ServerResponse that endpoints use. It records the response for another thread to send. */
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

/** A request from another thread, which captures the response of its endpoint. */
export class CapturedRequest {
  readonly ctx: ApiContext;
  readonly #response = new CapturedResponse();
  readonly #audit: RequestAudit | undefined;

  constructor({ method, url, headers, auditId, receivedAt, user, cbor, body, audit, deadline }: WorkerRequest) {
    // as for HTTP/2, so that the endpoint responds at once: HTTP/1.1 responses are batched
    const request = { method, url, headers, httpVersionMajor: 2 };
    // endpoints ask a request and a response for no other members
    this.ctx = new ApiContext(request as unknown as IncomingMessage, this.#response as unknown as ServerResponse);
    const state = parseRequest(method, url, auditId, receivedAt);
    Object.assign(state, {
      user,
      deadline,
      cborEnabled: cbor,
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    });
    this.#audit = audit && new RequestAudit({ ...audit, omitStages: new Set() });
    if (this.#audit) state.audit = this.#audit;
    this.ctx.state = state;
  }

  get notes(): WorkerNotes {
    const { warnings, written } = this.ctx.state;
    return {
      warnings,
      audit: this.#audit?.record(),
      written: written && { name: written.name, revision: written.revision },
    };
  }

  /** @throws Error if the endpoint sent no response */
  response(): WorkerResponse {
    const { statusCode: code, writableEnded, body } = this.#response;
    if (!writableEnded) throw new Error('the endpoint sent no response');
    const contentType = String(this.#response.getHeader('Content-Type'));
    return { code, contentType, body };
  }
}
