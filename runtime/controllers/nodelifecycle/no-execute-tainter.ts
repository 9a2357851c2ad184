import type { Clock } from '../../machinery/clock.ts';
import { TokenBucket } from '../../machinery/token-bucket.ts';
import { evictionRate } from './zone-states.ts';

/** Milliseconds until waiting nodes are tried again. (NodeEvictionPeriod) */
const period = 100;
/** The number of nodes of a zone that get taints in a burst. (EvictionRateLimiterBurst) */
const burst = 1;

interface Zone {
  readonly waiting: Set<string>;
  rate: number;
  /** The rate of the zone; undefined if no node may get a taint. */
  bucket: TokenBucket | undefined;
}

export interface NoExecuteTainterOptions {
  readonly clock: Clock;
  /** Sets the taint that matches a node's condition. */
  taint(node: string): Promise<void>;
  report(error: unknown): void;
}

/** Queues of nodes to get NoExecute taints, by zone, with a rate limit for each. (zoneNoExecuteTainter) */
export class NoExecuteTainter {
  readonly #options: NoExecuteTainterOptions;
  readonly #zones = new Map<string, Zone>();
  #running: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(options: NoExecuteTainterOptions) {
    this.#options = options;
  }

  /** Queues a node. A node that is already queued keeps its place. */
  add(zone: string, node: string): void {
    this.#zone(zone).waiting.add(node);
  }

  remove(node: string): void {
    for (const { waiting } of this.#zones.values()) waiting.delete(node);
  }

  /** @param rate nodes per second; 0 stops the zone */
  setRate(name: string, rate: number): void {
    const zone = this.#zone(name);
    if (zone.rate === rate) return;
    const hadToken = zone.bucket?.tryTake() ?? false;
    zone.rate = rate;
    zone.bucket = rate > 0 ? new TokenBucket(rate, burst, this.#options.clock) : undefined;
    if (!hadToken) zone.bucket?.tryTake();
  }

  /** Taints the nodes that are due, now and periodically. */
  async run(): Promise<void> {
    if (this.#closed) return;
    this.#cancelTimer?.();
    this.#running ??= this.#pass().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    this.#cancelTimer?.();
    const isWaiting = [...this.#zones.values()].some(({ waiting, bucket }) => waiting.size > 0 && bucket !== undefined);
    if (isWaiting && !this.#closed) this.#cancelTimer = this.#options.clock.after(period, () => void this.run());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  async #pass(): Promise<void> {
    for (const zone of this.#zones.values()) {
      for (const node of zone.waiting) {
        if (!zone.bucket?.tryTake()) break;
        try {
          await this.#options.taint(node);
          zone.waiting.delete(node);
        } catch (error) {
          this.#options.report(error);
        }
      }
    }
  }

  #zone(name: string): Zone {
    let zone = this.#zones.get(name);
    if (zone === undefined) {
      const bucket = new TokenBucket(evictionRate, burst, this.#options.clock);
      zone = { waiting: new Set(), rate: evictionRate, bucket };
      this.#zones.set(name, zone);
    }
    return zone;
  }
}
