import type { ServerResponse } from 'node:http';

/* Go's responses to requests without TLS and to malformed requests, which never reach a handler. */

export const httpOnHttpsPort = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

const response = (status: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;

export const badRequest = response('400 Bad Request');
export const headersTooLarge = response('431 Request Header Fields Too Large');

/** Rejects a request that Node could parse, after earlier ones, and closes the connection. */
export function rejectRequest(response: ServerResponse, code: number, reason: string): void {
  response.sendDate = false;
  // without this header and a length, the response ends with the connection
  response.removeHeader('Transfer-Encoding');
  response.writeHead(code, reason, ['Content-Type', 'text/plain; charset=utf-8', 'Connection', 'close']);
  response.end(`${code} ${reason}`);
}
