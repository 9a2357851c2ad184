import { elementAt } from '../../machinery/collections/element-at.ts';
import { type Logger, silentLogger } from '../../machinery/logger.ts';
import type { Call, CallOptions } from '../grpc/call.ts';
import { deadlineExceeded, GRPCError } from '../grpc/grpc-status.ts';
import { Connection, type ConnectionTimes, defaultTimes } from './connection.ts';
import { parseEndpoint, type TransportFiles } from './endpoint.ts';
import { canRetry } from './errors.ts';
import {
  decodeRange,
  decodeTxn,
  encodeCompaction,
  encodeRange,
  encodeTxn,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages/kv.ts';
import { decodeLeaseGrant, decodeLeaseTimeToLive, encodeLeaseGrant, encodeLeaseTimeToLive, type Lease } from './messages/lease.ts';
import { decodeStatus, type StatusResponse } from './messages/maintenance.ts';

export interface EtcdClientOptions {
  /** URLs of the members of one cluster, at least one. See parseEndpoint. */
  readonly endpoints: readonly string[];
  readonly files?: TransportFiles;
  /** Milliseconds for a call with all its attempts. Default: 10,000; etcd itself gives up after 7,000. */
  readonly callTimeout?: number;
  readonly times?: ConnectionTimes;
  /** Logs failed connections. Default: silent. */
  readonly logger?: Logger | undefined;
}

interface UnaryOptions {
  readonly method: string;
  readonly request: Uint8Array;
  /** Whether the call has no effect, so that it is retried even if an attempt may have reached etcd. Default: false. */
  readonly isRead?: boolean;
  /** Milliseconds. Default: callTimeout. */
  readonly timeout?: number | undefined;
}

/** A member without a leader fails the call at once. (clientv3.WithRequireLeader) */
const requireLeader = { hasleader: 'true' } as const;

/**
 * Milliseconds that the first attempt to read waits if there are other members; the next attempt waits twice as long.
 */
const firstAttempt = 1_000;

/** Milliseconds for defragmentation. */
const defragmentTimeout = 10 * 60_000;

/** Milliseconds before the next attempt, as in clientv3. */
const retryAfter = 25;

/**
 * A client of an etcd cluster. Calls take turns between members with open connections; other members are dialed in the
 * background. A failed read is retried at other members until its deadline. A write is only retried if it certainly had
 * no effect. All methods throw GRPCError.
 */
export class EtcdClient {
  readonly #connections: readonly Connection[];
  readonly #callTimeout: number;
  #next = 0;
  #isClosed = false;

  /** @throws TypeError for an invalid endpoint */
  constructor(options: EtcdClientOptions) {
    const { endpoints, files = {}, callTimeout = 10_000, times = defaultTimes, logger = silentLogger } = options;
    this.#connections = endpoints.map((text) => new Connection({ endpoint: parseEndpoint(text), files, times, logger }));
    this.#callTimeout = callTimeout;
  }

  /** The connections in the order of their endpoints. */
  get connections(): readonly Connection[] {
    return this.#connections;
  }

  async range(request: RangeRequest, timeout?: number): Promise<RangeResponse> {
    const method = '/etcdserverpb.KV/Range';
    return decoded(decodeRange, await this.#unary({ method, request: encodeRange(request), isRead: true, timeout }));
  }

  async txn(request: TxnRequest): Promise<TxnResponse> {
    return decoded(decodeTxn, await this.#unary({ method: '/etcdserverpb.KV/Txn', request: encodeTxn(request) }));
  }

  /** Discards the history before a revision. */
  async compact(revision: number): Promise<void> {
    await this.#unary({ method: '/etcdserverpb.KV/Compact', request: encodeCompaction(revision) });
  }

  async grantLease(ttlSeconds: number): Promise<Lease> {
    const request = encodeLeaseGrant(ttlSeconds);
    return decoded(decodeLeaseGrant, await this.#unary({ method: '/etcdserverpb.Lease/LeaseGrant', request }));
  }

  /** Returns the remaining seconds of a lease; -1 if it does not exist. */
  async leaseTimeToLive(id: bigint): Promise<number> {
    const call = { method: '/etcdserverpb.Lease/LeaseTimeToLive', request: encodeLeaseTimeToLive(id), isRead: true };
    return decoded(decodeLeaseTimeToLive, await this.#unary(call));
  }

  /** Returns the state of one member. Dials it if necessary. */
  async status(connection: Connection): Promise<StatusResponse> {
    await connection.dial();
    const method = '/etcdserverpb.Maintenance/Status';
    const call = { method, request: new Uint8Array(), timeout: this.#callTimeout };
    return decoded(decodeStatus, await connection.unary(call));
  }

  /**
   * Frees the disk space of discarded data on one member. The member handles nothing else meanwhile, possibly for
   * minutes.
   */
  async defragment(connection: Connection): Promise<void> {
    await connection.dial();
    const method = '/etcdserverpb.Maintenance/Defragment';
    await connection.unary({ method, request: new Uint8Array(), timeout: defragmentTimeout });
  }

  /** Opens a watch stream to a member that has a leader. */
  openWatch(connection: Connection, handlers: Pick<CallOptions, 'onMessage' | 'onEnd'>): Call {
    return connection.stream({ ...handlers, method: '/etcdserverpb.Watch/Watch', metadata: requireLeader });
  }

  /**
   * Returns an open connection to the next member.
   *
   * @param timeout milliseconds
   */
  connect(timeout = this.#callTimeout): Promise<Connection> {
    return this.#pick(performance.now() + timeout);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#connections) connection.close();
  }

  async #unary({ method, request, isRead = false, timeout = this.#callTimeout }: UnaryOptions): Promise<Buffer> {
    const end = performance.now() + timeout;
    const hasOthers = isRead && this.#connections.length > 1;
    for (let attempt = hasOthers ? firstAttempt : timeout; ; attempt *= 2) {
      const connection = await this.#pick(end);
      // few distinct numbers, because Node has a list of timers for each
      const left = Math.max(1, Math.ceil(Math.min(end - performance.now(), attempt)));
      try {
        return await connection.unary({ method, request, timeout: left, metadata: requireLeader });
      } catch (error) {
        if (!(error instanceof GRPCError)) throw error;
        if (error.code === 'DeadlineExceeded') connection.suspect();
        if (!canRetry(error, isRead) || performance.now() + retryAfter >= end) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryAfter));
      }
    }
  }

  /** Waits until a connection is open. */
  async #pick(end: number): Promise<Connection> {
    for (;;) {
      if (this.#isClosed) throw new GRPCError('Canceled', 'grpc: the client connection is closing', true);
      const connection = this.#nextOpen();
      if (connection !== undefined) return connection;
      const left = end - performance.now();
      if (left <= 0) throw this.#unreachable();
      await this.#whenOneIsDialed(left);
    }
  }

  /** Returns the next open connection, preferably one that is not suspect. Dials the others. */
  #nextOpen(): Connection | undefined {
    const all = this.#connections;
    let chosen: Connection | undefined;
    for (let offset = 0; offset < all.length; offset += 1) {
      const connection = elementAt(all, (this.#next + offset) % all.length);
      if (!connection.isOpen) {
        if (connection.backoff === 0) void connection.dial();
      } else if (chosen === undefined || (chosen.isSuspect && !connection.isSuspect)) chosen = connection;
    }
    if (chosen !== undefined) this.#next = (all.indexOf(chosen) + 1) % all.length;
    return chosen;
  }

  async #whenOneIsDialed(timeout: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeout);
    });
    await Promise.race([isLate, ...this.#connections.map((connection) => connection.dial())]);
    clearTimeout(timer);
  }

  #unreachable(): GRPCError {
    const causes = this.#connections.flatMap(({ lastError }) => lastError?.description ?? []);
    const { code, description } = deadlineExceeded(causes.length === 0 ? '' : `(${[...new Set(causes)].join('; ')})`);
    return new GRPCError(code, description, true);
  }
}

function decoded<T>(decode: (message: Uint8Array) => T, message: Uint8Array): T {
  try {
    return decode(message);
  } catch {
    throw new GRPCError('Internal', 'grpc: failed to unmarshal the received message');
  }
}
