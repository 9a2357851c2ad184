import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/**
 * The result of a call: an empty message, a status, no response, a stream refused before processing, or a connection
 * that ends when the call arrives.
 */
export type ScriptedAnswer = 'ok' | { readonly code: number; readonly message: string } | 'hang' | 'refuse' | 'cut';

/** A gRPC server with scripted responses for any method. */
export class ScriptedGRPCServer {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  /** The responses to the next calls, in order. Later calls succeed. */
  answers: ScriptedAnswer[] = [];
  /** The number of calls. */
  calls = 0;

  private constructor(server: Http2Server) {
    this.#server = server;
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream) => this.#answer(stream));
  }

  static async start(): Promise<ScriptedGRPCServer> {
    const server = createServer();
    const scripted = new ScriptedGRPCServer(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  #answer(stream: ServerHttp2Stream): void {
    this.calls += 1;
    const answer = this.answers.shift() ?? 'ok';
    stream.on('error', () => undefined);
    stream.resume();
    if (answer === 'refuse') stream.close(constants.NGHTTP2_REFUSED_STREAM);
    stream.on('end', () => {
      if (answer === 'cut') stream.session?.destroy();
      else if (answer === 'ok') respond(stream);
      else if (typeof answer === 'object') refuse(stream, answer);
    });
  }
}

function respond(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.alloc(5));
}

function refuse(stream: ServerHttp2Stream, { code, message }: { code: number; message: string }): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(code) };
  stream.respond({ ...headers, 'grpc-message': encodeURIComponent(message) }, { endStream: true });
}
