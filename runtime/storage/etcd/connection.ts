import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { noSuchHost } from '../../machinery/go/no-such-host.ts';
import type { Logger } from '../../machinery/logger.ts';
import { Call, type CallOptions } from '../grpc/call.ts';
import { GRPCError } from '../grpc/grpc-status.ts';
import { maxSentMessage, messageIsTooLarge } from '../grpc/message-size.ts';
import { callUnary, type UnaryCall } from '../grpc/unary-call.ts';
import { type Endpoint, readTransportFiles, type TransportFiles } from './endpoint.ts';

/** Time limits of connections in milliseconds. (apiserver storagebackend/factory/etcd3.go) */
export interface ConnectionTimes {
  /** The time until an attempt to connect fails. */
  readonly dialTimeout: number;
  /** The time between two pings. */
  readonly keepaliveTime: number;
  /** The time after which an unanswered ping ends the connection. */
  readonly keepaliveTimeout: number;
}

export const defaultTimes: ConnectionTimes = { dialTimeout: 20_000, keepaliveTime: 30_000, keepaliveTimeout: 10_000 };

/**
 * The least milliseconds between pings: etcd ends connections that ping more than every five seconds.
 * (--grpc-keepalive-min-time)
 */
const minPingInterval = 6_000;

/** The largest received and sent messages, in bytes. Received: math.MaxInt32. (clientv3 options.go) */
const maxMessage = 2 ** 31 - 1;

/** Bytes of the flow-control window, for pages of many objects. */
const windowSize = 8 * 2 ** 20;

/** Milliseconds before a broken endpoint is dialed again: the first time, and at most. (gRPC connection-backoff) */
const [firstBackoff, maxBackoff] = [100, 5_000];

export interface ConnectionOptions {
  readonly endpoint: Endpoint;
  readonly files: TransportFiles;
  readonly times: ConnectionTimes;
  readonly logger: Logger;
}

/** The connection to one member: open, being dialed, or closed. */
export class Connection {
  readonly endpoint: Endpoint;
  readonly #files: TransportFiles;
  readonly #times: ConnectionTimes;
  readonly #logger: Logger;
  #session: ClientHttp2Session | undefined;
  #dialing: Promise<void> | undefined;
  #failures = 0;
  #retryAt = 0;
  #lastPing = 0;
  /** Whether a ping checks the connection after a delay. Other connections are preferred meanwhile. */
  #isSuspect = false;
  #isClosed = false;
  #cancelBackoff: () => void = () => undefined;
  /** The error of the last failed attempt. */
  lastError: GRPCError | undefined;

  constructor({ endpoint, files, times, logger }: ConnectionOptions) {
    this.endpoint = endpoint;
    this.#files = files;
    this.#times = times;
    this.#logger = logger;
  }

  get isOpen(): boolean {
    const session = this.#session;
    return session !== undefined && !session.closed && !session.destroyed;
  }

  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Milliseconds until the next attempt to dial; 0 for now. */
  get backoff(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** Opens the connection unless it is open. Never rejects: `isOpen` and `lastError` have the result. */
  dial(): Promise<void> {
    if (this.isOpen || this.#isClosed) return Promise.resolve();
    this.#dialing ??= this.#dial().finally(() => {
      this.#dialing = undefined;
    });
    return this.#dialing;
  }

  /** @throws GRPCError */
  async unary(call: Omit<UnaryCall, 'maxMessage'>): Promise<Buffer> {
    const { length } = call.request;
    if (length > maxSentMessage) {
      throw new GRPCError('ResourceExhausted', messageIsTooLarge(length));
    }
    return callUnary(this.#openSession(), { ...call, maxMessage });
  }

  /** @throws GRPCError */
  stream(options: Omit<CallOptions, 'maxMessage'>): Call {
    return new Call(this.#openSession(), { ...options, maxMessage });
  }

  /** Checks the connection after a delay. It ends soon unless the peer responds. */
  suspect(): void {
    if (this.#isSuspect || !this.isOpen) return;
    this.#isSuspect = true;
    const wait = Math.max(0, this.#lastPing + minPingInterval - performance.now());
    setTimeout(() => this.#ping(), wait).unref();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelBackoff();
    this.#session?.destroy();
  }

  #openSession(): ClientHttp2Session {
    if (this.#session !== undefined && this.isOpen) return this.#session;
    throw new GRPCError('Unavailable', `the connection to ${this.endpoint.address} is closed`, true);
  }

  async #dial(): Promise<void> {
    const wait = this.backoff;
    if (wait > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait);
        this.#cancelBackoff = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (this.#isClosed) return;
    try {
      const tls = this.endpoint.isSecure ? await readTransportFiles(this.#files) : {};
      await this.#connect(tls);
      this.#failures = 0;
      this.lastError = undefined;
    } catch (error) {
      const message = dialErrorMessage(error as NodeJS.ErrnoException, this.endpoint.address);
      const lastError = new GRPCError('Unavailable', `connection error: desc = "${message}"`, true);
      this.#retryAt = performance.now() + Math.min(firstBackoff * 1.6 ** this.#failures, maxBackoff);
      this.#failures += 1;
      // logs each reason once
      if (!this.#isClosed && this.lastError?.description !== lastError.description) {
        this.#logger.warn({ endpoint: this.endpoint.url, reason: lastError.description }, 'etcd: no connection');
      }
      this.lastError = lastError;
    }
  }

  #connect(tls: SecureClientSessionOptions): Promise<void> {
    const { address, isSecure, socketPath } = this.endpoint;
    const session = connect(socketPath === undefined ? `${isSecure ? 'https' : 'http'}://${address}` : 'http://unix', {
      ...tls,
      ...(socketPath === undefined ? {} : { createConnection: () => connectSocket(socketPath) }),
      settings: { initialWindowSize: windowSize, enablePush: false },
    });
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        session.destroy();
        reject(new Error('i/o timeout'));
      }, this.#times.dialTimeout);
      const fail = (error?: Error): void => {
        clearTimeout(timeout);
        session.destroy();
        reject(error ?? new Error('EOF'));
      };
      // after the connection is open, errors end its streams, which report them
      session.on('error', fail);
      // a server may refuse the client's certificate after the handshake, which sessions do not notice
      session.once('connect', (_session, socket) => socket.on('error', fail));
      session.once('close', () => {
        this.#isSuspect = false;
        fail();
      });
      // the peer has responded in HTTP/2
      session.once('remoteSettings', () => {
        clearTimeout(timeout);
        if (this.#isClosed) return fail();
        session.setLocalWindowSize(windowSize);
        this.#session = session;
        this.#lastPing = performance.now();
        this.#keepAlive(session);
        resolve();
      });
    });
  }

  #keepAlive(session: ClientHttp2Session): void {
    const timer = setInterval(() => this.#ping(), this.#times.keepaliveTime);
    timer.unref();
    session.once('close', () => clearInterval(timer));
  }

  #ping(): void {
    const session = this.#session;
    if (session === undefined || !this.isOpen) return;
    this.#lastPing = performance.now();
    const timeout = setTimeout(() => session.destroy(), this.#times.keepaliveTimeout);
    timeout.unref();
    session.ping((error) => {
      clearTimeout(timeout);
      this.#isSuspect = false;
      if (error !== null) session.destroy();
    });
  }
}

/** Returns the message in Go's words. */
function dialErrorMessage(error: NodeJS.ErrnoException, address: string): string {
  const dialing = (text: string): string => `transport: Error while dialing: dial tcp ${address}: ${text}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return dialing('connect: connection refused');
    case 'EHOSTUNREACH':
      return dialing('connect: no route to host');
    case 'ETIMEDOUT':
      return dialing('i/o timeout');
    case 'ENOTFOUND':
      return `transport: Error while dialing: dial tcp: ${noSuchHost(address.replace(/:\d+$/, ''))}`;
    case 'ENOENT':
      return dialing('connect: no such file or directory');
    default:
      return `transport: ${error.message}`;
  }
}
