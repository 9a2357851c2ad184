import type { IncomingMessage } from 'node:http';
import { decodeJson, encodeJson } from '../codec/json.ts';
import { type Status, StatusError } from '../machinery/errors/status.ts';
import { fromUnstructured } from '../machinery/object.ts';
import { type AuthorizationHeader, credentials } from './credentials.ts';
import type { CallOptions, ClientOptions, WatchEvent } from './options.ts';
import { Transport } from './transport.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RestRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path: `/api/v1/namespaces/x/pods`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The type of the body. Default: `application/json`. */
  readonly contentType?: string;
}

/** Sends requests and receives responses in JSON. Responses of 400 and above become StatusErrors. */
export class RestClient {
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: () => AuthorizationHeader | Promise<AuthorizationHeader>;
  readonly #timeout: number;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#timeout = options.timeout ?? 60_000;
    this.#credentials = credentials(options);
    this.#headers = { 'user-agent': options.userAgent ?? 'kubeloom-client', ...options.headers };
  }

  /** Returns the decoded body of the response. */
  async request<T>(request: RestRequest): Promise<T> {
    const response = await this.#send(request, 'application/json', this.#timeout);
    return decodeJson(await readAll(response)) as T;
  }

  /** Returns the body as text, for logs. */
  async text(request: RestRequest): Promise<string> {
    const response = await this.#send(request, '*/*', this.#timeout);
    return Buffer.from(await readAll(response)).toString('utf8');
  }

  /** Yields events as they arrive. Ends when the server or the signal ends it, or the caller leaves the loop. */
  async *watch<T>(request: RestRequest): AsyncGenerator<WatchEvent<T>, void, undefined> {
    let response: IncomingMessage | undefined;
    try {
      response = await this.#send({ ...request, query: { ...request.query, watch: true } }, 'application/json', 0);
      for await (const line of lines(response)) {
        const event = fromUnstructured<WatchEvent<T> | { type: 'ERROR'; object: Status }>(decodeJson(line));
        if (event.type === 'ERROR') throw new StatusError(event.object);
        yield event;
      }
    } catch (error) {
      if (request.signal?.aborted !== true) throw error;
    } finally {
      response?.destroy();
    }
  }

  /** Closes all connections. Requests in progress fail. */
  close(): void {
    this.#transport.close();
  }

  async #send(request: RestRequest, accept: string, timeout: number): Promise<IncomingMessage> {
    const body = request.body === undefined ? undefined : encodeJson(request.body);
    const response = await this.#transport.send({
      method: request.method,
      path: `${request.path}${queryText(request.query ?? {})}`,
      headers: {
        ...(await this.#credentials()),
        ...this.#headers,
        accept,
        ...(body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      },
      body,
      signal: request.signal,
      timeout,
    });
    if ((response.statusCode ?? 0) >= 400) throw await errorOf(response);
    return response;
  }
}

function queryText(query: Query): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.append(key, String(value));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

async function errorOf(response: IncomingMessage): Promise<StatusError> {
  const code = response.statusCode ?? 500;
  const body = await readAll(response);
  try {
    const status = fromUnstructured<Status>(decodeJson(body));
    if (status !== null && typeof status === 'object' && status.kind === 'Status') return new StatusError(status);
  } catch {
    // not a Status: the response of a proxy, or of a path outside of the API
  }
  const text = Buffer.from(body).toString('utf8').trim();
  return new StatusError({
    message: text === '' ? `the server responded with status ${code}` : text,
    reason: 'Unknown',
    code,
  });
}

async function readAll(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const [only, ...others] = chunks;
  return only && others.length === 0 ? only : Buffer.concat(chunks);
}

const newline = 0x0a;

async function* lines(response: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  let pending: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = Buffer.concat([...pending, chunk.subarray(start, end)]);
      pending = [];
      start = end + 1;
      if (line.byteLength > 0) yield line;
    }
    if (start < chunk.byteLength) pending.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(pending);
  if (rest.byteLength > 0) yield rest;
}
