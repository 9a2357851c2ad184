import type { ObjectEvent } from '../../storage/object-store/contract.ts';

/** The maximum number of events that wait for a client, and the maximum bytes of their objects. */
const maxEvents = 10_000;
const maxBytes = 8 * 1024 * 1024;
/** Sent events are removed in batches, because removing the first of a long array costs its length. */
const batchSize = 1024;

/**
 * The events that wait for one client. They are references to objects that the history and other watches hold as well, so a
 * client that reads nothing costs eight bytes for each event, and all such clients together hold each object once.
 * (Upstream has a channel of 10 to 1000 events for each watch: storage/cacher newCacheWatcher)
 */
export class EventBuffer {
  #events: ObjectEvent[] = [];
  #next = 0;
  /** The number of waiting events that the client asked for. They come first, and do not count for the limits. */
  #history = 0;
  #bytes = 0;

  /** Declares all waiting events history that the client asked for. */
  markHistory(): void {
    this.#history = this.#events.length - this.#next;
    this.#bytes = 0;
  }

  /** True if the client is too far behind. */
  get isOverfull(): boolean {
    return this.#bytes > maxBytes || this.#events.length - this.#next - this.#history > maxEvents;
  }

  push(event: ObjectEvent): void {
    this.#events.push(event);
    this.#bytes += event.object.jsonLength;
  }

  shift(): ObjectEvent | undefined {
    const event = this.#events[this.#next];
    if (event === undefined) {
      this.clear();
      return undefined;
    }
    this.#next++;
    if (this.#history > 0) this.#history--;
    else this.#bytes -= event.object.jsonLength;
    if (this.#next === batchSize) {
      this.#events = this.#events.slice(batchSize);
      this.#next = 0;
    }
    return event;
  }

  clear(): void {
    this.#events = [];
    this.#next = 0;
    this.#history = 0;
    this.#bytes = 0;
  }
}
