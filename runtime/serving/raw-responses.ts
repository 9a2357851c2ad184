import type { ServerResponse } from 'node:http';

/* Go's responses to requests without TLS and to malformed requests, which never reach a handler. */

export const httpOnHttpsPort = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** A response to a request that no handler sees. */
export interface Refusal {
  readonly code: number;
  /** The reason phrase of the status line. */
  readonly reason: string;
  /** The text of the response. The default repeats code and reason. */
  readonly text?: string;
}

export const badRequest: Refusal = { code: 400, reason: 'Bad Request' };
export const headersTooLarge: Refusal = { code: 431, reason: 'Request Header Fields Too Large' };
export const unsupportedTransferEncoding: Refusal = { code: 501, reason: 'Not Implemented', text: 'Unsupported transfer encoding' };
export const unsupportedVersion: Refusal = { code: 505, reason: 'HTTP Version Not Supported: unsupported protocol version' };

const textOf = ({ code, reason, text = `${code} ${reason}` }: Refusal): string => text;

/** Returns the bytes of a response to a request that Node could not parse. */
export function rawResponse(refusal: Refusal): string {
  const status = `HTTP/1.1 ${refusal.code} ${refusal.reason}`;
  return `${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${textOf(refusal)}`;
}

/** Returns the refusal of a request that Node could not parse. */
export function parseErrorRefusal({ code, reason }: ParseError): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge;
  // Go's server drops the length beside chunks, which a proxy in front may have believed
  if (code === 'HPE_INVALID_TRANSFER_ENCODING' && !reason?.includes('Content-Length')) return unsupportedTransferEncoding;
  // other reasons of this code say that there is no number
  if (code === 'HPE_INVALID_VERSION' && reason === 'Invalid HTTP version') return unsupportedVersion;
  return badRequest;
}

/** An error of Node's HTTP/1.1 parser. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** Refuses an expectation other than `100-continue`. */
export function expectationFailed(response: ServerResponse): void {
  response.writeHead(417, ['Connection', 'close', 'Content-Length', '0']).end();
}

/** Rejects a request that Node could parse, after earlier ones, and closes the connection. */
export function rejectRequest(response: ServerResponse, refusal: Refusal): void {
  response.sendDate = false;
  // without this header and a length, the response ends with the connection
  response.removeHeader('Transfer-Encoding');
  response.writeHead(refusal.code, refusal.reason, ['Content-Type', 'text/plain; charset=utf-8', 'Connection', 'close']);
  response.end(textOf(refusal));
}
