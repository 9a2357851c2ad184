import type { Duplex } from 'node:stream';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { noSuchHost, onNameServer } from '../../machinery/go/no-such-host.ts';
import { quote } from '../../machinery/go/quote.ts';
import { isOnion } from './resolvable.ts';

/** A request without a response. The message has the words of Go's net/http. */
export class NetworkError extends Error {
  readonly isNetworkError = true;
  /** The code of Node's error, such as ECONNRESET. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

export function isNetworkError(error: unknown): error is NetworkError {
  return typeof error === 'object' && error !== null && (error as NetworkError).isNetworkError === true;
}

/** (context.DeadlineExceeded, context.Canceled) */
export const deadlineExceeded = 'context deadline exceeded';
export const canceled = 'context canceled';

type NodeError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly errors?: readonly NodeError[];
  readonly rawPacket?: Uint8Array;
};

/** Go's words for errno. */
const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EHOSTDOWN: 'host is down',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EPIPE: 'broken pipe',
  EMFILE: 'too many open files',
  EINVAL: 'invalid argument',
};

/** Returns the error of a failed TCP connection. (net.OpError, net.DNSError) */
export function dialError(error: Error, host: string, port: number): NetworkError {
  const { code, message, address, port: triedPort, errors } = error as NodeError;
  // an error for each address of a name
  if (errors?.[0] !== undefined) return dialError(errors[0], host, port);
  if (code === 'ENOTFOUND') return new NetworkError(`dial tcp: ${nameProblem(host)}`, code);
  if (code === 'EAI_AGAIN') return new NetworkError(`dial tcp: lookup ${host}${onNameServer()}: server misbehaving`, code);
  if (code === 'ERR_SOCKET_BAD_PORT') return new NetworkError(`dial tcp: address ${port}: invalid port`, code);
  const where = joinHostPort(address ?? host, triedPort ?? port);
  if (code === 'ETIMEDOUT') return new NetworkError(`dial tcp ${where}: i/o timeout`, code);
  const known = code === undefined ? undefined : systemErrors[code];
  return new NetworkError(`dial tcp ${where}: ${known === undefined ? message : `connect: ${known}`}`, code);
}

const nameProblem = (host: string): string => (isOnion(host) ? `address ${host}: no suitable address found` : noSuchHost(host));

/** The two ends of a connection. A closed socket no longer has them. */
const ends = new WeakMap<Duplex, string>();

/** Stores the two ends of a connection for later messages. */
export function rememberEnds(socket: Duplex, over: Duplex = socket): void {
  const { localAddress, localPort, remoteAddress, remotePort } = over as Duplex & Record<string, string | number>;
  if (localAddress === undefined || remoteAddress === undefined) return;
  const local = joinHostPort(String(localAddress), Number(localPort));
  ends.set(socket, `${local}->${joinHostPort(String(remoteAddress), Number(remotePort))}`);
}

/** Returns the error of an established connection, or the error's own message. (persistConn.mapRoundTripError) */
export function roundTripError(error: Error, socket?: Duplex | null): NetworkError {
  if (isNetworkError(error)) return error;
  const { code, name, message, syscall, rawPacket } = error as NodeError;
  const fail = (text: string): NetworkError => new NetworkError(text, code);
  if (name === 'TimeoutError') return fail(deadlineExceeded);
  if (name === 'AbortError') return fail(canceled);
  if (code === 'HPE_HEADER_OVERFLOW') return fail('net/http: server response headers exceeded 1048576 bytes; aborted');
  if (code?.startsWith('HPE_')) {
    return fail(`net/http: HTTP/1.x transport connection broken: ${malformed(rawPacket, message)}`);
  }
  // the server closed the connection without a response
  if (code === 'ECONNRESET' && syscall !== 'read' && syscall !== 'write') return new NetworkError('EOF', 'EOF');
  const words = code === undefined ? undefined : systemErrors[code];
  if (words !== undefined && (syscall === 'read' || syscall === 'write')) {
    const between = (socket && ends.get(socket)) ?? '';
    return fail(`${syscall} tcp ${between}: ${syscall}: ${words}`);
  }
  if (code === 'ERR_INVALID_CHAR') {
    return fail(message.replace(/^Invalid character in header content \["(.*)"\]$/, invalidHeader));
  }
  return fail(message);
}

const invalidHeader = (_message: string, name: string): string =>
  `net/http: invalid header field value for "${name.replace(/(?<![a-z])[a-z]/g, (char) => char.toUpperCase())}"`;

/** Returns the problem of a response's beginning. (http.ReadResponse) */
function malformed(packet: Uint8Array | undefined, message: string): string {
  const line = Buffer.from(packet ?? [])
    .toString('latin1')
    .split('\n', 1)
    .join()
    .replace(/\r$/, '');
  const space = line.indexOf(' ');
  if (space < 0) return `malformed HTTP response ${quote(line)}`;
  const status = line
    .slice(space + 1)
    .trimStart()
    .split(' ', 1)
    .join();
  if (status.length !== 3) return `malformed HTTP status code ${quote(status)}`;
  if (!/^\d{3}$/.test(status)) return `malformed HTTP status code ${quote(status)}`;
  if (!/^HTTP\/\d\.\d$/.test(line.slice(0, space))) return `malformed HTTP version ${quote(line.slice(0, space))}`;
  const headers = Buffer.from(packet ?? [])
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1)
    .join()
    .split(/\r?\n/)
    .slice(1);
  const noHeader = headers.find((header) => !/^[ \t]|:/.test(header));
  if (noHeader !== undefined) return `malformed MIME header: missing colon: ${quote(noHeader)}`;
  const nameless = headers.find((header) => header.startsWith(':'));
  if (nameless !== undefined) return `malformed MIME header line: ${quote(nameless)}`;
  const lengths = headers.flatMap((header) => /^content-length:\s*(.*?)\s*$/i.exec(header)?.[1] ?? []);
  const noLength = lengths.find((length) => !/^\d+$/.test(length));
  if (noLength !== undefined) return `bad Content-Length ${quote(noLength)}`;
  if (new Set(lengths).size > 1) {
    return `http: message cannot contain multiple Content-Length headers; got [${lengths.map(quote).join(' ')}]`;
  }
  return message;
}

/** A server's TLS alerts, by OpenSSL's names. (crypto/tls alertText) */
const alerts: Readonly<Record<string, string>> = {
  UNEXPECTED_MESSAGE: 'unexpected message',
  BAD_RECORD_MAC: 'bad record MAC',
  RECORD_OVERFLOW: 'record overflow',
  HANDSHAKE_FAILURE: 'handshake failure',
  BAD_CERTIFICATE: 'bad certificate',
  UNSUPPORTED_CERTIFICATE: 'unsupported certificate',
  CERTIFICATE_REVOKED: 'revoked certificate',
  CERTIFICATE_EXPIRED: 'expired certificate',
  CERTIFICATE_UNKNOWN: 'unknown certificate',
  ILLEGAL_PARAMETER: 'illegal parameter',
  UNKNOWN_CA: 'unknown certificate authority',
  ACCESS_DENIED: 'access denied',
  DECODE_ERROR: 'error decoding message',
  DECRYPT_ERROR: 'error decrypting message',
  PROTOCOL_VERSION: 'protocol version not supported',
  INSUFFICIENT_SECURITY: 'insufficient security level',
  INTERNAL_ERROR: 'internal error',
  USER_CANCELLED: 'user canceled',
  MISSING_EXTENSION: 'missing extension',
  UNSUPPORTED_EXTENSION: 'unsupported extension',
  UNRECOGNIZED_NAME: 'unrecognized name',
  CERTIFICATE_REQUIRED: 'certificate required',
  NO_APPLICATION_PROTOCOL: 'no application protocol',
};

/** Returns the alert of an OpenSSL error, in Go's words. */
function alertOf(code: string): string | undefined {
  const [, name] = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13)_ALERT_(?:DESCRIPTION_)?(\w+)$/.exec(code) ?? [];
  return name === undefined ? undefined : alerts[name];
}

/** Returns the error of a failed TLS handshake. (crypto/tls) */
export function handshakeError(error: Error, socket: Duplex): NetworkError {
  const { code = '' } = error as NodeError;
  const alert = alertOf(code);
  if (alert !== undefined) return new NetworkError(`remote error: tls: ${alert}`, code);
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL') {
    return new NetworkError('remote error: tls: protocol version not supported', code);
  }
  return roundTripError(error, socket);
}
