import type { Clock } from '../../machinery/clock.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { TokenBucket } from '../../machinery/token-bucket.ts';
import type { EventNames } from './event-name.ts';
import type { EventReference, RecordedEvent } from './recorded-event.ts';

/** The Event to create or update for an observed event. */
export interface CorrelatedEvent {
  /** The name of the created or updated Event. */
  readonly name: string;
  readonly message: string;
  /** The number of observations. Above 1, an existing Event is updated. */
  readonly count: number;
  /** The first observation, in milliseconds since the epoch. */
  readonly firstTimestamp: number;
}

/**
 * The number of events with different messages that are combined into one, if observed within the given milliseconds.
 */
const maxSimilar = 10;
const aggregateInterval = 600_000;
/** The number of events of a type that a source may send about one object at once, and the rate per second. */
const spamBurst = 25;
const spamRate = 1 / 300;
/** The maximum number of records. Half of them are guaranteed to be kept. */
const maxRecords = 2 * 4096;

interface Similar {
  readonly messages: Set<string>;
  lastTimestamp: number;
}

interface Observed {
  readonly name: string;
  readonly firstTimestamp: number;
  count: number;
}

/**
 * Combines similar events, counts equal ones, and drops events of a source that sends too many about one object.
 * (client-go tools/record EventCorrelator, with its defaults)
 */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #names: EventNames;
  readonly #similar = new BoundedMap<string, Similar>(maxRecords);
  readonly #observed = new BoundedMap<string, Observed>(maxRecords);
  readonly #buckets = new BoundedMap<string, TokenBucket>(maxRecords);

  constructor(clock: Clock, names: EventNames) {
    this.#clock = clock;
    this.#names = names;
  }

  /** @returns undefined if the event is dropped */
  correlate(about: EventReference, event: RecordedEvent): CorrelatedEvent | undefined {
    const now = this.#clock.now();
    const source = `${event.host ?? ''}\0${about.apiVersion}\0${about.kind}\0${about.namespace ?? ''}\0${about.name}\0${about.uid}\0${event.type}`;
    const group = `${source}\0${event.reason}`;
    const isCombined = this.#isCombined(group, event.message, now);
    const message = isCombined ? `(combined from similar events): ${event.message}` : event.message;
    const key = isCombined ? group : `${group}\0${about.fieldPath ?? ''}\0${message}`;
    let observed = this.#observed.get(key);
    if (observed === undefined) {
      observed = { name: this.#names.next(about.name, now), firstTimestamp: now, count: 0 };
      this.#observed.set(key, observed);
    }
    observed.count++;
    // dropped events are counted too
    return this.#bucketOf(source).tryTake() ? { ...observed, message } : undefined;
  }

  #isCombined(group: string, message: string, now: number): boolean {
    let similar = this.#similar.get(group);
    if (similar === undefined || now - similar.lastTimestamp > aggregateInterval) {
      similar = { messages: new Set(), lastTimestamp: now };
      this.#similar.set(group, similar);
    }
    similar.messages.add(message);
    similar.lastTimestamp = now;
    if (similar.messages.size < maxSimilar) return false;
    for (const one of similar.messages) {
      similar.messages.delete(one);
      break;
    }
    return true;
  }

  #bucketOf(source: string): TokenBucket {
    let bucket = this.#buckets.get(source);
    if (bucket === undefined) {
      bucket = new TokenBucket(spamRate, spamBurst, this.#clock);
      this.#buckets.set(source, bucket);
    }
    return bucket;
  }
}
