import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { type Listener, serving } from '../../network/listener.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** The longest body of a request, in bytes. */
const maxBody = 16 * 1024 * 1024;

const handlers = new WeakMap<Duplex, HttpHandler>();

/** One parser of HTTP for all servers of the network. */
const server = new Server((request, response) => {
  const handler = handlers.get(request.socket);
  void (async () => handler?.(request, response))().catch((error: unknown) => {
    if (!response.headersSent) respond(response, 500, `${messageOf(error)}\n`);
    else response.destroy();
  });
});

// a client may end its side before the answer
Object.assign(server, { httpAllowHalfOpen: true });

/** Returns a listener that answers HTTP requests. */
export const http = (handler: HttpHandler): Listener => serving((connection) => serveHttp(connection, handler));

/** Answers the HTTP requests of one connection. */
export function serveHttp(connection: Duplex, handler: HttpHandler): void {
  handlers.set(connection, handler);
  server.emit('connection', connection);
}

/** Responds with a text, as Go's net/http does. */
export function respond(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** (http.Error) */
export function respondError(response: ServerResponse, status: number, message: string): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  respond(response, status, `${message}\n`);
}

export const pathOf = ({ url = '/' }: IncomingMessage): string => decoded(url.replace(/\?.*$/s, ''));

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reads the body of a request. @throws Error if it is too long */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) throw new Error('http: request body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1] ?? '');

/** Returns the values of a form: of the body before those of the query. (http.Request.FormValue) */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const query = queryOf(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded') || !['POST', 'PUT', 'PATCH'].includes(request.method ?? '')) return query;
  const form = new URLSearchParams((await bodyOf(request)).toString());
  for (const [name, value] of query) form.append(name, value);
  return form;
}
