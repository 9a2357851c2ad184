import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { GRPCError, statusError } from './grpc-status.ts';
import { frameOf, MessageReader } from './message-frames.ts';

export interface CallOptions {
  /** For example `/etcdserverpb.KV/Range`. */
  readonly method: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The largest message of a response, in bytes. Default: 4 MiB, as in Go. */
  readonly maxMessage?: number;
  readonly onMessage: (message: Buffer) => void;
  /**
   * Called once, after the last message.
   *
   * @param error undefined if the server ended the call successfully
   */
  readonly onEnd: (error: GRPCError | undefined) => void;
}

const defaultMaxMessage = 4 * 2 ** 20;

/** A gRPC call on a connection, with any number of messages each way. */
export class Call {
  readonly #stream: ClientHttp2Stream;
  readonly #reader: MessageReader;
  readonly #onEnd: CallOptions['onEnd'];
  #httpStatus: number | undefined;
  #status: unknown;
  #message: unknown;
  #failure: GRPCError | undefined;
  #isEnded = false;

  constructor(session: ClientHttp2Session, options: CallOptions) {
    const { method, metadata, maxMessage = defaultMaxMessage } = options;
    this.#onEnd = options.onEnd;
    this.#reader = new MessageReader(maxMessage, options.onMessage);
    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...metadata,
    });
    this.#stream = stream;
    stream.on('response', (headers) => {
      this.#httpStatus = headers[':status'];
      // an error without a message only has headers
      this.#readStatus(headers);
    });
    stream.on('trailers', (trailers) => this.#readStatus(trailers));
    stream.on('data', (chunk: Buffer) => this.#read(chunk));
    stream.on('error', (error) => {
      this.#failure ??= new GRPCError('Unavailable', error.message, this.#isRefused());
    });
    stream.on('close', () => this.#end(this.#outcome()));
  }

  send(message: Uint8Array): void {
    if (!this.#stream.destroyed) this.#stream.write(frameOf(message));
  }

  /** Sends the last message. */
  sendLast(message: Uint8Array): void {
    this.#stream.end(frameOf(message));
  }

  /** Slows the server down until `resume`. Messages that have arrived may still be delivered. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends the call at once with this error. */
  cancel(error: GRPCError): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#end(error);
  }

  #read(chunk: Buffer): void {
    if (this.#isEnded) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof GRPCError)) throw error;
      this.cancel(error);
    }
  }

  #outcome(): GRPCError | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#httpStatus === undefined) {
      return new GRPCError('Unavailable', 'the connection ended before a response', this.#isRefused());
    }
    if (this.#httpStatus !== 200) {
      return new GRPCError('Unknown', `unexpected HTTP status code received from server: ${this.#httpStatus}`);
    }
    if (this.#status === undefined) return new GRPCError('Unavailable', 'the connection ended during the response');
    const error = statusError(this.#status, this.#message);
    if (error !== undefined) return error;
    return this.#reader.isInside ? new GRPCError('Internal', 'the response ends inside of a message') : undefined;
  }

  #isRefused(): boolean {
    return this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  }

  #end(error: GRPCError | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd(error);
  }

  #readStatus(headers: Readonly<Record<string, unknown>>): void {
    this.#status = headers['grpc-status'] ?? this.#status;
    this.#message = headers['grpc-message'] ?? this.#message;
  }
}
