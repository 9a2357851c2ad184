import type { Random } from '../../machinery/random.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/** Names of Events, each another one of this server. */
export class EventNames {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Those of a server, whoever records. */
  static of(stores: ResourceStores): EventNames {
    let names = ofServers.get(stores);
    if (names === undefined) {
      names = new EventNames(stores.random);
      ofServers.set(stores, names);
    }
    return names;
  }

  /**
   * The name of the object and the time in nanoseconds as hexadecimal digits. (client-go tools/record/util GenerateEventName)
   *
   * @param now in milliseconds; a counter makes names of the same millisecond different
   */
  next(object: string, now: number): string {
    this.#count = (this.#count + 1) % 1_000_000;
    const name = `${object}.${(BigInt(now) * 1_000_000n + BigInt(this.#count)).toString(16)}`;
    return dnsSubdomain(name).length === 0 ? name : this.#random.uuid('event', object);
  }
}

const ofServers = new WeakMap<ResourceStores, EventNames>();
