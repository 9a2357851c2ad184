import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { quote } from '../../machinery/go/quote.ts';
import { NetworkError, roundTripError } from './network-error.ts';
import { refusedStream } from './pending-request.ts';

/** Milliseconds before a connection without streams closes. (http.DefaultTransport IdleConnTimeout) */
const idleTimeout = 90_000;
/**
 * Milliseconds without a frame before a ping, and the timeout of its answer. (apimachinery pkg/util/net
 * configureHTTP2Transport)
 */
const readIdleTimeout = 30_000;
const pingTimeout = 15_000;
/** The maximum number of streams before the server's SETTINGS. (http2 initialMaxConcurrentStreams) */
const initialMaxStreams = 100;
/** The receive window of a stream and of the connection, in bytes. (http2 transportDefaultStreamFlow, ConnFlow) */
const streamWindow = 4 * 1024 * 1024;
const connectionWindow = 2 ** 30;
/** The maximum bytes of a response's headers, and their number. (Go: 10 MiB) */
const maxHeaderSize = 1024 * 1024;
const maxHeaders = 2_000;
/** The memory of a session in MiB, above which no streams begin. */
const maxSessionMemory = 256;

/** (RFC 9113, section 7) */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

const errorName = (code: number): string => errorNames[code] ?? `unknown error code 0x${code.toString(16)}`;

/** A connection with concurrent requests. (http2.ClientConn) */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  #streams = 0;
  #count = 0;
  #maxStreams = initialMaxStreams;
  /** The error of unfinished requests when the connection ends. */
  #failure: NetworkError | undefined;
  #health: NodeJS.Timeout | undefined;

  /** @param onClose called once, when the connection accepts no more requests */
  constructor(socket: TLSSocket, onClose: () => void) {
    this.#socket = socket;
    const session = connect('https://server', {
      createConnection: () => socket,
      maxHeaderListPairs: maxHeaders,
      maxSessionMemory,
      settings: { enablePush: false, initialWindowSize: streamWindow, maxHeaderListSize: maxHeaderSize },
    });
    this.#session = session;
    session.once('connect', () => session.setLocalWindowSize(connectionWindow));
    session.on('remoteSettings', ({ maxConcurrentStreams = initialMaxStreams }) => {
      this.#maxStreams = maxConcurrentStreams;
    });
    session.on('error', (error) => {
      this.#failure ??= roundTripError(error, socket);
    });
    socket.on('error', (error) => {
      this.#failure ??= roundTripError(error, socket);
    });
    let isOver = false;
    const end = (): void => {
      if (!isOver) onClose();
      isOver = true;
    };
    session.once('goaway', (code: number, lastStream: number, data?: Uint8Array) => {
      const debug = quote(Buffer.from(data ?? []).toString());
      const what = `LastStreamID=${lastStream}, ErrCode=${errorName(code)}, debug=${debug}`;
      this.#failure = new NetworkError(`http2: server sent GOAWAY and closed the connection; ${what}`);
      this.retire();
      end();
    });
    session.once('close', () => {
      clearInterval(this.#health);
      end();
    });
    session.setTimeout(idleTimeout, () => {
      if (this.#streams === 0) this.retire();
    });
    session.unref();
  }

  /** The connection can take one more request. */
  get hasRoom(): boolean {
    const { closed, destroyed } = this.#session;
    return !closed && !destroyed && this.#streams < this.#maxStreams;
  }

  /** The connection has had requests before. */
  get isReused(): boolean {
    return this.#count > 0;
  }

  /** Begins a request. @throws Error for invalid headers */
  request(headers: OutgoingHttpHeaders, endStream: boolean): ClientHttp2Stream {
    const stream = this.#session.request(headers, { endStream });
    this.#count += 1;
    this.#streams += 1;
    if (this.#streams === 1) {
      this.#session.ref();
      this.#watchHealth();
    }
    stream.once('close', () => {
      this.#streams -= 1;
      if (this.#streams > 0) return;
      clearInterval(this.#health);
      this.#session.unref();
      if (this.#session.closed) this.#hangUp();
    });
    return stream;
  }

  /** Returns the reason for a stream's early end. */
  failureOf({ id = 1, rstCode }: ClientHttp2Stream, error?: Error): NetworkError {
    const isReset = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_HTTP2_STREAM_ERROR';
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM || (isReset && this.#failure === undefined)) {
      const text = `stream error: stream ID ${id}; ${errorName(rstCode)}; received from peer`;
      return new NetworkError(text, rstCode === constants.NGHTTP2_REFUSED_STREAM ? refusedStream : undefined);
    }
    return this.#failure ?? (error ? roundTripError(error, this.#socket) : new NetworkError('unexpected EOF'));
  }

  /** Stops new requests, and closes when the current ones end. */
  retire(): void {
    if (!this.#session.closed) this.#session.close();
    if (this.#streams === 0) this.#hangUp();
  }

  /** Closes at once; requests fail. */
  destroy(): void {
    this.#failure ??= new NetworkError('http2: client connection force closed via ClientConn.Close');
    this.#session.destroy();
  }

  /** Destroys the socket, because a closing session would wait for the server to close it. */
  #hangUp(): void {
    this.#socket.destroy();
  }

  #watchHealth(): void {
    let { bytesRead } = this.#socket;
    clearInterval(this.#health);
    this.#health = setInterval(() => {
      if (this.#socket.bytesRead === bytesRead) this.#ping();
      ({ bytesRead } = this.#socket);
    }, readIdleTimeout).unref();
  }

  #ping(): void {
    const lost = setTimeout(() => {
      this.#failure ??= new NetworkError('http2: client connection lost');
      this.#session.destroy();
    }, pingTimeout).unref();
    this.#session.ping(() => clearTimeout(lost));
  }
}
