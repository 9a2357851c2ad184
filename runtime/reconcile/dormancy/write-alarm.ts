import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent } from '../../storage/object-store/contract.ts';

/** Which writes wake a sleeper. */
export interface WakeRule {
  /** Plurals, as `namespaces` or `clusterroles.rbac.authorization.k8s.io`. Default: any resource. */
  readonly resources?: readonly string[];
  /** Default: any write of these resources. */
  readonly when?: (event: ObjectEvent) => boolean;
}

interface Sleeper {
  readonly rule: WakeRule;
  readonly wake: () => void;
}

/** Wakes who sleeps until an object is written. It watches the resources that are open: others cannot be written. */
export class WriteAlarm {
  readonly #stores: ResourceStores;
  readonly #sleepers = new Set<Sleeper>();
  readonly #stops: (() => void)[] = [];

  constructor(stores: ResourceStores) {
    this.#stores = stores;
  }

  /** @returns what cancels it */
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
    for (const store of this.#stores.allOpened()) this.#watch(store);
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
