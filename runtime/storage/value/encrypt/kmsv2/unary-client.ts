import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { deadlineExceeded, GRPCError } from '../../../grpc/grpc-status.ts';
import { callUnary } from '../../../grpc/unary-call.ts';

/** Milliseconds before the next attempt to connect. */
const reconnectAfter = 100;

/**
 * Calls unary methods of a gRPC server at a Unix socket, one message each way. A call waits for the server to appear
 * until its timeout. Connects on first use, and again after a connection ends.
 */
export class UnaryClient {
  readonly #path: string;
  readonly #timeoutMs: number;
  #session: ClientHttp2Session | undefined;
  #isClosed = false;

  /** @param path of the socket; a path that begins with @ is in Linux' abstract namespace */
  constructor(path: string, timeoutMs: number) {
    this.#path = path.startsWith('@') ? `\0${path.slice(1)}` : path;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @param method for example `/v2.KeyManagementService/Status`
   * @throws GRPCError
   */
  async call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const end = performance.now() + this.#timeoutMs;
    for (;;) {
      if (this.#isClosed) throw new GRPCError('Canceled', 'grpc: the client connection is closing');
      const session = await this.#connected(deadline);
      if (session !== undefined) {
        try {
          return await callUnary(session, { method, request, timeout: Math.max(0, end - performance.now()) });
        } catch (error) {
          if (!(error instanceof GRPCError && error.isRefused)) throw error;
        }
      }
      if (deadline.aborted) throw deadlineExceeded('while waiting for connections to become ready');
      await new Promise((resolve) => setTimeout(resolve, reconnectAfter).unref());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#session?.destroy();
  }

  /** Resolves with undefined if the server does not accept connections. */
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
      // after the connection is open, errors end its streams, which report them
      session.on('error', fail);
      session.once('close', fail);
      session.once('connect', () => resolve(session));
      deadline.addEventListener('abort', () => session.connecting && fail(), { once: true });
    });
  }
}
