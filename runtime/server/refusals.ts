import type { ServerResponse } from 'node:http';

/* What Go's server says below HTTP's own answers: to those who speak HTTP without TLS, and to those who do not speak HTTP. */

export const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

const refusal = (status: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;

export const malformed = refusal('400 Bad Request');
export const tooLarge = refusal('431 Request Header Fields Too Large');

/** Refuses a request whose head could be parsed and cannot be taken, in its turn, and closes the connection. */
export function refuse(response: ServerResponse, code: number, reason: string): void {
  response.sendDate = false;
  // without it, and without a length, the answer ends with the connection
  response.removeHeader('Transfer-Encoding');
  response.writeHead(code, reason, ['Content-Type', 'text/plain; charset=utf-8', 'Connection', 'close']);
  response.end(`${code} ${reason}`);
}
