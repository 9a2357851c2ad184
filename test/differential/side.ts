import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, type AgentOptions, request } from 'node:https';
import type { TestObject } from '../support/test-object.ts';

export interface SideResponse {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly json: TestObject;
}

export interface SideRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One of the two compared servers, with its administrator's credentials. */
export class Side {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, tls: AgentOptions, token?: string) {
    this.#url = new URL(url);
    const { ca, cert, key, rejectUnauthorized } = tls;
    this.#agent = new Agent({
      keepAlive: true,
      ...(rejectUnauthorized === undefined ? { ca, cert, key } : { rejectUnauthorized }),
    });
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** Opens a request. The caller sends its body. */
  open({ method, path, headers }: SideRequest, respond: (incoming: IncomingMessage) => void): ClientRequest {
    const { hostname: host, port } = this.#url;
    return request({ host, port, agent: this.#agent, method, path, headers: { ...headers, ...this.#headers } }, respond);
  }

  send(
    method: string,
    path: string,
    body?: string | Uint8Array,
    { accept = 'application/json', contentType = 'application/yaml' } = {},
  ): Promise<SideResponse> {
    const headers = { accept, ...(body === undefined ? {} : { 'content-type': contentType }) };
    return new Promise((resolve, reject) => {
      const outgoing = this.open({ method, path, headers }, (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(parts).toString();
          const { warning } = incoming.headers;
          const json = text.startsWith('{') ? JSON.parse(text) : { text };
          resolve({ status: incoming.statusCode ?? 0, warnings: warning === undefined ? [] : [warning], json });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
