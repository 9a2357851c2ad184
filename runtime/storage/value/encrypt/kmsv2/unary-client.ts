import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { GRPCError, statusError } from './grpc-status.ts';

/** The largest response, in bytes, as in Go. */
const maxMessage = 4 * 2 ** 20;
/** How long to wait before the next attempt to connect, in milliseconds. */
const reconnectAfter = 100;

/**
 * Calls unary methods of a gRPC server at a Unix socket, one message each way. A call waits for the server to appear until
 * its timeout. Connects when it is first needed, and again after a connection ends.
 */
export class UnaryClient {
  readonly #path: string;
  readonly #timeoutMs: number;
  #session: ClientHttp2Session | undefined;
  #isClosed = false;

  /** @param path of the socket; one that begins with @ is in Linux' abstract namespace */
  constructor(path: string, timeoutMs: number) {
    this.#path = path.startsWith('@') ? `\0${path.slice(1)}` : path;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param method such as `/v2.KeyManagementService/Status`
   * @throws GRPCError
   */
  async call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    for (;;) {
      if (this.#isClosed) throw new GRPCError('Canceled', 'grpc: the client connection is closing');
      const session = await this.#connected(deadline);
      if (session !== undefined) {
        const response = await callOn(session, { method, request, deadline });
        if (response !== refused) return response;
      }
      if (deadline.aborted) throw deadlineExceeded('while waiting for connections to become ready');
      await new Promise((resolve) => setTimeout(resolve, reconnectAfter).unref());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.destroy();
  }

  /** Undefined if the server does not accept connections. */
  #connected(deadline: AbortSignal): Promise<ClientHttp2Session | undefined> {
    const open = this.#session;
    if (open !== undefined && !open.closed && !open.destroyed) return Promise.resolve(open);
    const session = connect('http://localhost', { createConnection: () => connectSocket(this.#path) });
    session.unref();
    this.#session = session;
    return new Promise((resolve) => {
      const fail = (): void => {
        session.destroy();
        resolve(undefined);
      };
      // errors after the connection end its streams, which report them
      session.on('error', fail);
      session.once('close', fail);
      session.once('connect', () => resolve(session));
      deadline.addEventListener('abort', () => session.connecting && fail(), { once: true });
    });
  }
}

interface UnaryCall {
  readonly method: string;
  readonly request: Uint8Array;
  readonly deadline: AbortSignal;
}

/** The connection ended before the server had seen the request. */
const refused = Symbol('refused');

function callOn(
  session: ClientHttp2Session,
  { method, request, deadline }: UnaryCall,
): Promise<Uint8Array | typeof refused> {
  const stream = session.request({
    ':method': 'POST',
    ':path': method,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.end(frameOf(request));
  return new Promise((resolve, reject) => {
    const response = new UnaryResponse(stream);
    const onDeadline = (): void => {
      stream.close(constants.NGHTTP2_CANCEL);
      reject(deadlineExceeded(''));
    };
    if (deadline.aborted) onDeadline();
    deadline.addEventListener('abort', onDeadline, { once: true });
    stream.on('error', (error) => {
      if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve(refused);
      else reject(new GRPCError('Unavailable', error.message));
    });
    stream.on('close', () => {
      deadline.removeEventListener('abort', onDeadline);
      try {
        resolve(response.message());
      } catch (error) {
        reject(error);
      }
    });
  });
}

const deadlineExceeded = (where: string): GRPCError =>
  new GRPCError('DeadlineExceeded', `context deadline exceeded${where === '' ? '' : ` ${where}`}`);

/** Not compressed, and the length. */
function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}

/** Collects the parts of a response. */
class UnaryResponse {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status: unknown;
  #message: unknown;
  #httpStatus: number | undefined;

  constructor(stream: ClientHttp2Stream) {
    stream.on('response', (headers) => {
      this.#httpStatus = headers[':status'];
      // an error without a message has only headers
      this.#readStatus(headers);
    });
    stream.on('trailers', (trailers) => this.#readStatus(trailers));
    stream.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size <= maxMessage + 5) this.#chunks.push(chunk);
      else stream.close(constants.NGHTTP2_CANCEL);
    });
  }

  /** @throws GRPCError */
  message(): Uint8Array {
    if (this.#size > maxMessage + 5) {
      throw new GRPCError('ResourceExhausted', `grpc: received message larger than max (${maxMessage})`);
    }
    if (this.#httpStatus === undefined) throw new GRPCError('Unavailable', 'the connection ended before a response');
    if (this.#httpStatus !== 200) {
      throw new GRPCError('Unknown', `unexpected HTTP status code received from server: ${this.#httpStatus}`);
    }
    const error = statusError(this.#status, this.#message);
    if (error !== undefined) throw error;
    const frame = Buffer.concat(this.#chunks);
    if (frame.length < 5 || frame.readUInt32BE(1) !== frame.length - 5) {
      throw new GRPCError('Internal', 'the response is not one message');
    }
    if (frame[0] !== 0) throw new GRPCError('Internal', 'the response is compressed');
    return frame.subarray(5);
  }

  #readStatus(headers: Readonly<Record<string, unknown>>): void {
    this.#status = headers['grpc-status'] ?? this.#status;
    this.#message = headers['grpc-message'] ?? this.#message;
  }
}
