import type { Clock } from '../../machinery/clock.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, CollectionSnapshot } from '../../storage/object-store/contract.ts';
import type { ResourceSize } from './list-work-estimator.ts';

/** Milliseconds after which the average size of objects is measured again. */
const maxAge = 60_000;
/** The number of measured objects. Below it, the average is measured after each change. */
const sampleSize = 100;

interface MeasuredSize {
  measuredAt: number;
  objects: number;
  averageBytes: number;
}

/**
 * The sizes of open resources. Objects are counted each time; their average size is measured once a minute.
 * (storage.Stats)
 */
export class ResourceSizes {
  readonly #clock: Clock;
  readonly #collections = new Map<string, Collection>();
  readonly #measured = new Map<string, MeasuredSize>();

  /** @param stores without open resources */
  constructor(stores: ResourceStores, clock: Clock) {
    this.#clock = clock;
    stores.onOpen(({ definition, collection }) => {
      this.#collections.set(`${definition.group}/${definition.resource}`, collection);
    });
    // a changed resource is opened again, and a removed one is not
    stores.registry.onChange((change) => {
      if (change === undefined) return;
      const key = `${change.group}/${change.resource}`;
      this.#collections.delete(key);
      this.#measured.delete(key);
    });
  }

  /** Returns undefined for resources that are not open. */
  get(group: string, resource: string): ResourceSize | undefined {
    const key = `${group}/${resource}`;
    const snapshot = this.#collections.get(key)?.latest();
    if (snapshot === undefined) return undefined;
    const now = this.#clock.now();
    const objects = snapshot.count();
    const measured = this.#measured.get(key);
    if (measured !== undefined && now - measured.measuredAt < maxAge) {
      const isSampled = objects >= sampleSize && measured.objects >= sampleSize;
      if (isSampled || objects === measured.objects) {
        measured.objects = objects;
        return measured;
      }
    }
    const size = { measuredAt: now, objects, averageBytes: averageBytes(snapshot) };
    this.#measured.set(key, size);
    return size;
  }
}

function averageBytes(snapshot: CollectionSnapshot): number {
  let [seen, bytes] = [0, 0];
  for (const { jsonLength } of snapshot.scan()) {
    bytes += jsonLength;
    if (++seen === sampleSize) break;
  }
  return seen === 0 ? 0 : bytes / seen;
}
