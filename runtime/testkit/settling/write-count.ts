import type { ResourceStores } from '../../resources/stores.ts';

const leases = ['coordination.k8s.io', 'v1', 'leases'] as const;

/** Counts the writes of a store except Leases, which their holders renew forever. */
export class WriteCount {
  readonly #stores: ResourceStores;
  #lastRenewal = 0;
  #renewals = 0;
  #stop: () => void = () => undefined;

  private constructor(stores: ResourceStores) {
    this.#stores = stores;
  }

  static async open(stores: ResourceStores): Promise<WriteCount> {
    const count = new WriteCount(stores);
    if (!stores.serves(...leases)) return count;
    const { collection } = await stores.byResource(...leases);
    count.#stop = collection.watch({
      after: collection.latest().revision,
      onEvent: ({ revision }) => {
        if (revision !== count.#lastRenewal) count.#renewals++;
        count.#lastRenewal = revision;
      },
    });
    return count;
  }

  /** A number that changes with each write. */
  get count(): number {
    return this.#stores.revision() - this.#renewals;
  }

  close(): void {
    this.#stop();
  }
}
