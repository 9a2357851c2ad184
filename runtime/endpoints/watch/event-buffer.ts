import type { ObjectEvent } from '../../storage/object-store/contract.ts';

/** How many changes may wait for a client, and how many bytes of objects. */
const countLimit = 10_000;
const bytesLimit = 8 * 1024 * 1024;
/** What is sent is forgotten in lots: taking the first of a long array away costs its length. */
const lot = 1024;

/**
 * Changes that wait for one client. They are references to what the history and other watches keep as well, so that a
 * client who takes nothing costs eight bytes a change, and the objects once however many such clients there are.
 * (Upstream has a channel of 10 to 1000 events for each: storage/cacher newCacheWatcher)
 */
export class EventBuffer {
  #events: ObjectEvent[] = [];
  #next = 0;
  /** What the client asked for itself is not counted; it goes first. */
  #history = 0;
  #bytes = 0;

  /** What has come so far is history that the client asked for. */
  markHistory(): void {
    this.#history = this.#events.length - this.#next;
    this.#bytes = 0;
  }

  /** More waits than a client may be behind. */
  get isOverfull(): boolean {
    return this.#bytes > bytesLimit || this.#events.length - this.#next - this.#history > countLimit;
  }

  push(event: ObjectEvent): void {
    this.#events.push(event);
    this.#bytes += event.object.jsonLength;
  }

  shift(): ObjectEvent | undefined {
    if (this.#next === this.#events.length) {
      this.clear();
      return undefined;
    }
    const event = this.#events[this.#next++];
    if (this.#history > 0) this.#history--;
    else this.#bytes -= event.object.jsonLength;
    if (this.#next === lot) {
      this.#events = this.#events.slice(lot);
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
