import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { RunningServer } from '../../runtime/index.ts';
import type { KeyPair } from '../../runtime/serving/x509-certificate.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
  readonly json: any;
}

export interface RequestOptions {
  readonly headers?: Record<string, string | readonly string[]>;
  /** Resolve after the headers and disconnect, for endless streams. */
  readonly headOnly?: boolean;
  /** Ends the request and its connection. */
  readonly signal?: AbortSignal;
}

/**
 * The address of a server and its administrator's certificate, which RunningServer and SecureServing name differently.
 */
type Place = Pick<RunningServer, 'url' | 'caCertificate'> &
  Partial<Pick<RunningServer, 'clientCertificate' | 'clientKey'>> & { readonly admin?: KeyPair };

/** A plain HTTPS/1.1 client: requests by method and path, complete responses. */
export class HttpClient {
  readonly #url: URL;
  readonly #agent: Agent;

  private constructor(url: string, agent: Agent) {
    this.#url = new URL(url);
    this.#agent = agent;
  }

  /** Returns a client with the administrator's certificate, or with another one. */
  static for({ url, caCertificate: ca, clientCertificate, clientKey, admin }: Place): HttpClient {
    const { cert, key } = { cert: clientCertificate ?? admin?.certificate, key: clientKey ?? admin?.key };
    return new HttpClient(url, new Agent({ ca, cert, key, keepAlive: true, maxSockets: 32 }));
  }

  static withoutCertificate({ url, caCertificate }: Place): HttpClient {
    return HttpClient.for({ url, caCertificate });
  }

  get(path: string, options?: RequestOptions): Promise<HttpResponse> {
    return this.#request('GET', path, undefined, options);
  }

  send(method: string, path: string, body?: string | Uint8Array, contentType?: string, options?: RequestOptions): Promise<HttpResponse> {
    const headers = {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      // node sets it only for POST, PUT and PATCH
      ...(method === 'DELETE' && body !== undefined ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
      ...options?.headers,
    };
    return this.#request(method, path, body, { ...options, headers });
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(method: string, path: string, body?: string | Uint8Array, options: RequestOptions = {}): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          agent: this.#agent,
          method,
          path,
          headers: options.headers as OutgoingHttpHeaders,
          signal: options.signal,
        },
        (incoming) => {
          const parts: Buffer[] = [];
          const finish = (): void => {
            const bytes = Buffer.concat(parts);
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: bytes,
              json: parseOrNothing(bytes),
            });
          };
          if (options.headOnly) {
            finish();
            incoming.destroy();
            return;
          }
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('end', finish);
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

function parseOrNothing(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
