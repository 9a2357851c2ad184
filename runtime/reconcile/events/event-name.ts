import type { Random } from '../../machinery/random.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/** Generates unique names of Events for this server. */
export class EventNames {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the names of a server, shared by all recorders. */
  static of(stores: ResourceStores): EventNames {
    let names = ofServers.get(stores);
    if (names === undefined) {
      names = new EventNames(stores.random);
      ofServers.set(stores, names);
    }
    return names;
  }

  /**
   * Returns the name of the object with the time in nanoseconds as hexadecimal digits. (client-go tools/record/util
   * GenerateEventName)
   *
   * @param now milliseconds since the epoch; a counter makes names within one millisecond unique
   */
  next(object: string, now: number): string {
    this.#count = (this.#count + 1) % 1_000_000;
    const name = `${object}.${(BigInt(now) * 1_000_000n + BigInt(this.#count)).toString(16)}`;
    return dnsSubdomain(name).length === 0 ? name : this.#random.uuid('event', object);
  }
}

const ofServers = new WeakMap<ResourceStores, EventNames>();
