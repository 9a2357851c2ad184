import { type Clock, monotonicClock } from '../../machinery/clock.ts';
import type { EtcdClient } from './etcd-client.ts';

export interface LeaseManagerOptions {
  readonly client: Pick<EtcdClient, 'grantLease'>;
  readonly clock: Clock;
  /** Seconds for which new keys share a lease. Default: 60. */
  readonly reuseDurationSeconds?: number | undefined;
  /** The most keys of a lease. Default: 1,000. */
  readonly maxObjectCount?: number | undefined;
  /** Called with the number of keys of a lease that new keys no longer use. */
  readonly onLeaseFull?: ((objectCount: number) => void) | undefined;
}

interface CurrentLease {
  readonly id: Promise<bigint>;
  /** The expiry time by the clock, in milliseconds. */
  readonly expirationTime: number;
  objectCount: number;
}

/**
 * The leases of expiring keys. Leases are expensive for etcd, so keys that are written at nearly the same time share
 * one, which lasts a little longer than its first key needs. (apiserver etcd3/lease_manager.go)
 */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  readonly #clock: Clock;
  readonly #reuseDurationSeconds: number;
  readonly #maxObjectCount: number;
  /** The lease for new keys, by their time to live in seconds. */
  readonly #current = new Map<number, CurrentLease>();

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
    this.#clock = monotonicClock(options.clock);
    this.#reuseDurationSeconds = options.reuseDurationSeconds ?? 60;
    this.#maxObjectCount = options.maxObjectCount ?? 1000;
  }

  /**
   * Returns the lease for one more key.
   *
   * @throws GRPCError
   */
  getLease(ttlSeconds: number): Promise<bigint> {
    const now = this.#clock.now();
    const reuse = Math.min(Math.floor(0.05 * ttlSeconds), this.#reuseDurationSeconds);
    const lease = this.#current.get(ttlSeconds);
    if (lease !== undefined) {
      lease.objectCount += 1;
      const isValid = now + ttlSeconds * 1000 < lease.expirationTime;
      if (isValid && lease.objectCount <= this.#maxObjectCount) return lease.id;
      this.#options.onLeaseFull?.(lease.objectCount - 1);
    }
    return this.#grant(ttlSeconds, ttlSeconds + reuse, now);
  }

  /** Forgets a lease that no longer exists. The next key gets another one. */
  async forget(id: bigint): Promise<void> {
    for (const [ttlSeconds, lease] of this.#current) {
      if ((await lease.id.catch(() => undefined)) === id) this.#current.delete(ttlSeconds);
    }
  }

  #grant(ttlSeconds: number, leaseSeconds: number, now: number): Promise<bigint> {
    const id = this.#options.client.grantLease(leaseSeconds).then((granted) => granted.id);
    this.#current.set(ttlSeconds, { id, expirationTime: now + leaseSeconds * 1000, objectCount: 1 });
    id.catch(() => {
      if (this.#current.get(ttlSeconds)?.id === id) this.#current.delete(ttlSeconds);
    });
    return id;
  }
}
