import { IncomingMessage } from 'node:http';
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { NetworkError } from './network-error.ts';

/** An HTTP/2 response with the interface of an HTTP/1.1 response. */
export class Http2Response extends IncomingMessage {
  readonly #stream: ClientHttp2Stream;

  /** @param failure returns the reason for the stream's early end */
  constructor(
    stream: ClientHttp2Stream,
    headers: IncomingHttpHeaders & IncomingHttpStatusHeader,
    failure: (error?: Error) => NetworkError,
  ) {
    // the response does not own the connection; Node only asks its socket for the members of a stream
    super(new Readable() as unknown as Socket);
    this.#stream = stream;
    const { ':status': status, ...rest } = headers;
    this.statusCode = status;
    this.statusMessage = '';
    this.httpVersion = '2.0';
    this.httpVersionMajor = 2;
    this.httpVersionMinor = 0;
    this.headers = rest;
    for (const [name, value] of Object.entries(rest)) {
      for (const one of Array.isArray(value) ? value : [value ?? '']) this.rawHeaders.push(name, one);
    }
    this.once('end', () => this.destroy());
    let error: Error | undefined;
    stream.on('error', (why) => {
      error = why;
    });
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted) return;
      this.complete = true;
      this.push(null);
    });
    stream.on('close', () => {
      if (!this.complete) this.destroy(failure(error));
    });
  }

  override _read(): void {
    this.#stream.resume();
  }

  /** Resets the stream only if one side is unfinished: servers close connections with many resets. (CVE-2023-44487) */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { closed, destroyed, writableEnded } = this.#stream;
    const isDone = this.complete && writableEnded;
    if (!isDone && !closed && !destroyed) this.#stream.close(constants.NGHTTP2_CANCEL);
    done(error);
  }
}
