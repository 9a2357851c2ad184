import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent } from '../../storage/object-store/contract.ts';

/** The writes that wake a controller. */
export interface WakeRule {
  /** Resources by plural: `namespaces`, `clusterroles.rbac.authorization.k8s.io`. Default: all. */
  readonly resources?: readonly string[];
  /** A condition on the event. Default: any write of these resources. */
  readonly when?: (event: ObjectEvent) => boolean;
}

interface Sleeper {
  readonly rule: WakeRule;
  readonly wake: () => void;
}

/** Wakes sleeping controllers when an object is written. It watches open resources only: others cannot be written. */
export class WriteAlarm {
  readonly #stores: ResourceStores;
  readonly #sleepers = new Set<Sleeper>();
  readonly #stops: (() => void)[] = [];

  constructor(stores: ResourceStores) {
    this.#stores = stores;
  }

  /** @returns a function that cancels the rule */
  add(rule: WakeRule, wake: () => void): () => void {
    if (this.#stops.length === 0) this.#start();
    const sleeper = { rule, wake };
    this.#sleepers.add(sleeper);
    return () => this.#sleepers.delete(sleeper);
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#sleepers.clear();
  }

  #start(): void {
    this.#stops.push(this.#stores.onOpen((store) => this.#watch(store)));
    for (const store of this.#stores.allOpen()) this.#watch(store);
  }

  #watch({ collection }: ResourceStore): void {
    const { group, resource } = collection.resource;
    const name = group === '' ? resource : `${resource}.${group}`;
    const onEvent = (event: ObjectEvent): void => {
      for (const sleeper of this.#sleepers) {
        const { resources, when } = sleeper.rule;
        if (resources?.includes(name) === false || when?.(event) === false) continue;
        this.#sleepers.delete(sleeper);
        sleeper.wake();
      }
    };
    this.#stops.push(collection.watch({ after: collection.latest().revision, onEvent }));
  }
}
