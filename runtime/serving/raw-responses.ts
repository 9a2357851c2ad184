import type { ServerResponse } from 'node:http';

/* Go's responses to requests without TLS and to malformed requests, which never reach a handler. */

export const httpOnHttpsPort = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

const response = (status: string, text = status): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`;

export const badRequest = response('400 Bad Request');
const headersTooLarge = response('431 Request Header Fields Too Large');

const unsupportedVersion = response('505 HTTP Version Not Supported: unsupported protocol version');
const unsupportedTransferEncoding = response('501 Not Implemented', 'Unsupported transfer encoding');

/** Returns the response to a request that Node could not parse. */
export function parseErrorResponse({ code, reason }: ParseError): string {
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
export function rejectRequest(response: ServerResponse, code: number, reason: string, text = `${code} ${reason}`): void {
  response.sendDate = false;
  // without this header and a length, the response ends with the connection
  response.removeHeader('Transfer-Encoding');
  response.writeHead(code, reason, ['Content-Type', 'text/plain; charset=utf-8', 'Connection', 'close']);
  response.end(text);
}
