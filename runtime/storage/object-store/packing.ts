import { TimeSlice, yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { ObjectChange } from '../cache/history.ts';
import type { WatchCache } from '../cache/watch-cache.ts';
import type { SlabAllocator } from '../mvcc/slab-allocator.ts';

/** How many states are examined between two turns of the event loop: about a millisecond, if all are moved. */
const packChunk = 500;

/**
 * Frees the memory of values. Values lie in slabs, which are freed whole, so one live value keeps its slab. Packing moves the
 * live values out of sparse slabs:
 *
 *     before   [a . . .] [. b . .] [c d e f]      a, b: live; dots: freed
 *     after                        [c d e f] [a b . .]
 */
export class Packing {
  readonly #slabs: SlabAllocator;
  readonly #caches: () => Iterable<WatchCache>;
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** @param caches the caches that hold live values */
  constructor(slabs: SlabAllocator, caches: () => Iterable<WatchCache>) {
    this.#slabs = slabs;
    this.#caches = caches;
  }

  /** Frees the values of discarded changes, and packs when slabs are sparse. */
  release(discarded: readonly ObjectChange[]): void {
    const slabs = this.#slabs;
    for (const { previous } of discarded) if (previous !== undefined) slabs.release(previous.stored);
    if (slabs.isSparse && this.#running === undefined) {
      this.#running = this.#pack().finally(() => {
        this.#running = undefined;
      });
    }
  }

  /** Frees all values of a cache that is no longer used. */
  async releaseAll(cache: WatchCache): Promise<void> {
    const slice = new TimeSlice();
    for (const { stored } of cache.held()) {
      this.#slabs.release(stored);
      if (slice.isOver) await slice.next();
    }
  }

  /** Ends packing at the next turn of the event loop. */
  stop(): void {
    this.#isStopped = true;
  }

  async #pack(): Promise<void> {
    await yieldToEventLoop();
    const sparse = this.#slabs.sparse();
    let examined = 0;
    for (const cache of this.#caches()) {
      for (const { stored } of cache.allStates()) {
        this.#slabs.moveFrom(sparse, stored);
        examined += 1;
        if (examined % packChunk === 0) await yieldToEventLoop();
        if (this.#isStopped) return;
      }
    }
    this.#slabs.abandon(sparse);
  }
}
