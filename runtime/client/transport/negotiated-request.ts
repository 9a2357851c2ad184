import type { ClientRequest, IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from 'node:http2';
import { type Duplex, Writable } from 'node:stream';
import type { Http2Connection } from './http2-connection.ts';
import { Http2Response } from './http2-response.ts';
import { canceled, NetworkError } from './network-error.ts';
import type { PendingRequest } from './pending-request.ts';

/** Ends an HTTP/1.1 request whose connection speaks HTTP/2. */
export class SpeaksHttp2 extends Error {
  readonly connection: Http2Connection;

  constructor(connection: Http2Connection) {
    super('the server speaks HTTP/2');
    this.connection = connection;
  }
}

export interface NegotiatedRequestOptions {
  /** An existing connection. */
  readonly connection: Http2Connection | undefined;
  /** Begins the request over HTTP/1.1. */
  readonly begin: () => ClientRequest;
  /** The headers of the request over HTTP/2. */
  readonly headers: () => OutgoingHttpHeaders;
}

type Done = (error?: Error | null) => void;

/** A connection that fails calls back for the headers and for the body. */
function once(done: Done): () => void {
  let isDone = false;
  return () => {
    if (!isDone) done();
    isDone = true;
  };
}

/** A request over HTTP/2 or HTTP/1.1. The connection decides which; the body waits for it. */
export class NegotiatedRequest extends Writable implements PendingRequest {
  readonly #options: NegotiatedRequestOptions;
  #older: ClientRequest | undefined;
  #connection: Http2Connection | undefined;
  #stream: ClientHttp2Stream | undefined;
  /** The protocol is chosen. */
  #isReady = false;
  #isReused = false;
  #wantsHeaders = false;
  #waiting: (() => void) | undefined;
  #hasResponse = false;

  constructor(options: NegotiatedRequestOptions) {
    super({ autoDestroy: false });
    this.#options = options;
    if (options.connection === undefined) this.#beginOlder();
    else this.#use(options.connection);
  }

  get reusedSocket(): boolean {
    return this.#older?.reusedSocket ?? this.#isReused;
  }

  get socket(): Duplex | null {
    return this.#older?.socket ?? null;
  }

  flushHeaders(): void {
    this.#wantsHeaders = true;
    if (!this.#isReady) return;
    if (this.#older === undefined) this.#open(false);
    else this.#older.flushHeaders();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#whenReady(() => {
      const target = this.#older ?? this.#open(false);
      // the failure of a connection is reported separately; later writes are dropped
      if (target === undefined || target.destroyed) done();
      else target.write(chunk, once(done));
    });
  }

  override _final(done: Done): void {
    this.#whenReady(() => {
      const isEmpty = this.#stream === undefined;
      const target = this.#older ?? this.#open(true);
      if (target !== undefined && !(isEmpty && this.#older === undefined)) target.end();
      done();
    });
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#older?.destroy(error ?? undefined);
    if (this.#stream?.closed === false) this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#waiting = undefined;
    done(error ?? (this.#hasResponse ? null : new NetworkError(canceled)));
  }

  #whenReady(act: () => void): void {
    if (this.#isReady) act();
    else this.#waiting = act;
  }

  #ready(): void {
    this.#isReady = true;
    if (this.#wantsHeaders) this.flushHeaders();
    const act = this.#waiting;
    this.#waiting = undefined;
    act?.();
  }

  #beginOlder(): void {
    const older = this.#options.begin();
    this.#older = older;
    older.on('socket', () => this.#ready());
    older.on('response', (incoming) => this.#respond(incoming));
    older.on('upgrade', (answer, socket, head) => {
      this.#hasResponse = true;
      this.emit('upgrade', answer, socket, head);
    });
    older.on('error', (error) => {
      if (error instanceof SpeaksHttp2 && !this.destroyed) {
        this.#older = undefined;
        this.#use(error.connection);
      } else this.destroy(error);
    });
    older.on('close', () => {
      if (this.#older === older) this.destroy();
    });
  }

  #use(connection: Http2Connection): void {
    this.#connection = connection;
    this.#isReused = connection.isReused;
    this.#ready();
  }

  #open(endStream: boolean): ClientHttp2Stream | undefined {
    if (this.#stream !== undefined || this.#connection === undefined) return this.#stream;
    const connection = this.#connection;
    let stream: ClientHttp2Stream;
    try {
      stream = connection.request(this.#options.headers(), endStream);
    } catch (error) {
      this.destroy(error as Error);
      return undefined;
    }
    this.#stream = stream;
    let failure: Error | undefined;
    stream.on('error', (error) => {
      failure ??= error;
    });
    stream.on('response', (headers) => {
      this.#respond(new Http2Response(stream, headers, (error) => connection.failureOf(stream, error)));
    });
    stream.on('close', () => this.destroy(this.#hasResponse ? undefined : connection.failureOf(stream, failure)));
    return stream;
  }

  #respond(incoming: IncomingMessage): void {
    this.#hasResponse = true;
    if (!this.emit('response', incoming)) incoming.resume();
  }
}
