import type { LeaseSpec } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import { type Clock, monotonicClock } from '../../machinery/clock.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Random } from '../../machinery/random.ts';
import { microTimeText } from '../../machinery/scalars/time.ts';
import type { LeaseLock } from './lease-lock.ts';

/** Settings of leader election. Times are milliseconds. */
export interface LeaderElectionConfig {
  /** How long other candidates wait after the last renewal that they saw before they take over the lease. */
  readonly leaseDuration: number;
  /** How long the leader tries to renew the lease before it stops leading. */
  readonly renewDeadline: number;
  /** The time between two attempts. */
  readonly retryPeriod: number;
}

export interface LeaderElectorOptions extends LeaderElectionConfig {
  readonly lock: LeaseLock;
  readonly clock: Clock;
  /**
   * Whether no other process can lead. This process then leads from the start, ignores a previous holder, and renews
   * the lease without urgency.
   */
  readonly isAlone: boolean;
  readonly random: Random;
  onStartedLeading(): void;
  /**
   * Called when this process loses the lease. Until it has resolved, the process does not lead again, and does not
   * release the lease.
   */
  onStoppedLeading(): Promise<void>;
  report(error: unknown): void;
}

/** Each wait for the lease is extended by a random time of up to this many periods. */
export const jitterFactor = 1.2;

/**
 * Acquires a lease, and holds it until it is closed. The holder leads.
 *
 *     waiting -> leading -> (the lease is lost, or could not be renewed) -> stopping -> waiting
 *
 * (client-go tools/leaderelection LeaderElector, which ends when the lease is lost)
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  /** The clock for durations, because the wall clock may jump. */
  readonly #clock: Clock;
  #observed: LeaseSpec | undefined;
  #observedAt = 0;
  #isLeading = false;
  /** Whether an event has announced that this process leads. */
  #hasTold = false;
  /** The start of the last successful renewal. */
  #renewedAt = 0;
  #trying: Promise<void> = Promise.resolve();
  #stopping: Promise<void> = Promise.resolve();
  #cancelRetry: () => void = () => undefined;
  #cancelDeadline: () => void = () => undefined;
  #closed = false;

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#clock = monotonicClock(options.clock);
  }

  /** Whether this process may act as leader. Correct even directly after the process was paused. */
  get isLeading(): boolean {
    return this.#isLeading && (this.#options.isAlone || this.#isWithinDeadline(this.#renewedAt));
  }

  /** Resolves after the first attempt, when it is known whether this process leads. */
  async start(): Promise<void> {
    if (this.#options.isAlone) this.#lead();
    this.#try();
    if (!this.#options.isAlone) await this.#trying;
  }

  /** Stops leading, and releases the lease. (ReleaseOnCancel) */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    await this.#trying;
    await this.#stop();
    try {
      await this.#release();
    } catch (error) {
      this.#options.report(error);
    }
  }

  #try(): void {
    const { retryPeriod, renewDeadline, isAlone, report, random, lock } = this.#options;
    this.#trying = this.#tryOnce()
      .catch(report)
      .then(() => {
        if (this.#closed) return;
        const jittered = retryPeriod * (1 + random.float('leader-election', lock.identity) * jitterFactor);
        const period = isAlone ? renewDeadline : this.#isLeading ? retryPeriod : jittered;
        this.#cancelRetry = this.#clock.after(period, () => this.#try());
      });
  }

  async #tryOnce(): Promise<void> {
    const began = this.#clock.now();
    const isHeld = await this.#tryAcquireOrRenew();
    if (!isHeld) {
      // another process leads already
      if (this.#observed?.holderIdentity !== this.#options.lock.identity) await this.#stop();
      return;
    }
    await this.#stopping;
    if (this.#closed || !this.#isWithinDeadline(began)) return;
    this.#renewedAt = began;
    this.#setDeadline();
    if (!this.#isLeading) this.#lead();
    if (this.#hasTold) return;
    this.#hasTold = true;
    await this.#options.lock.recordEvent('became leader');
  }

  #lead(): void {
    this.#isLeading = true;
    this.#options.onStartedLeading();
  }

  /** Stops leading. Resolves when this process no longer leads. */
  #stop(): Promise<void> {
    if (!this.#isLeading) return this.#stopping;
    this.#isLeading = false;
    this.#cancelDeadline();
    this.#stopping = (async () => {
      const { lock, onStoppedLeading, report } = this.#options;
      try {
        await onStoppedLeading();
        if (this.#hasTold) await lock.recordEvent('stopped leading');
      } catch (error) {
        report(error);
      }
      this.#hasTold = false;
    })();
    return this.#stopping;
  }

  #setDeadline(): void {
    this.#cancelDeadline();
    if (this.#options.isAlone) return;
    const rest = this.#renewedAt + this.#options.renewDeadline - this.#clock.now();
    this.#cancelDeadline = this.#clock.after(rest, () => void this.#stop());
  }

  #isWithinDeadline(renewedAt: number): boolean {
    return this.#clock.now() - renewedAt < this.#options.renewDeadline;
  }

  /** Resolves to whether this process holds the lease now. */
  async #tryAcquireOrRenew(): Promise<boolean> {
    const { lock } = this.#options;
    const record = this.#newRecord();
    if (this.#isHolder(this.#observed) && this.#isValid()) {
      try {
        const { acquireTime, leaseTransitions } = this.#observed as LeaseSpec;
        await this.#write(defined({ ...record, acquireTime, leaseTransitions }));
        return true;
      } catch {
        // another process has written the lease; the code below reads it
      }
    }
    const current = await lock.get();
    if (current === undefined) {
      await lock.create(record);
      this.#observe(record);
      return true;
    }
    if (!equalJson(current, this.#observed)) this.#observe(current);
    if (this.#isHolder(current)) {
      const { acquireTime, leaseTransitions } = current;
      await this.#write(defined({ ...record, acquireTime, leaseTransitions }));
      return true;
    }
    if (current.holderIdentity && this.#isValid() && !this.#options.isAlone) return false;
    await this.#write({ ...record, leaseTransitions: (current.leaseTransitions ?? 0) + 1 });
    return true;
  }

  #newRecord(): LeaseSpec {
    const { lock, clock, leaseDuration } = this.#options;
    const now = microTimeText(clock.now());
    return {
      holderIdentity: lock.identity,
      leaseDurationSeconds: Math.max(1, Math.floor(leaseDuration / 1000)),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    };
  }

  async #write(record: LeaseSpec): Promise<void> {
    await this.#options.lock.update(record);
    this.#observe(record);
  }

  /** Records the lease with the local time of the observation, because the clocks of machines differ. */
  #observe(record: LeaseSpec): void {
    this.#observed = record;
    this.#observedAt = this.#clock.now();
  }

  #isHolder(record: LeaseSpec | undefined): boolean {
    return record?.holderIdentity === this.#options.lock.identity;
  }

  #isValid(): boolean {
    return this.#observedAt + (this.#observed?.leaseDurationSeconds ?? 0) * 1000 > this.#clock.now();
  }

  async #release(): Promise<void> {
    const { lock, clock } = this.#options;
    const current = this.#isHolder(this.#observed) ? await lock.get() : undefined;
    if (current === undefined || !this.#isHolder(current)) return;
    const now = microTimeText(clock.now());
    const { leaseTransitions } = current;
    await lock.update({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      ...defined({ leaseTransitions }),
    });
  }
}
