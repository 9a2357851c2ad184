import type { GroupVersion } from '../../machinery/gvk.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { apiregistrationGroup } from './api-service.ts';
import { APIServices, servesAPIServices } from './api-services.ts';
import { AggregatedDiscovery } from './discovery/discovery.ts';
import { AutoRegisterController } from './registration/autoregister-controller.ts';
import { CRDRegistrationController } from './registration/crd-registration-controller.ts';
import { catalogPriorities } from './registration/priorities.ts';

export interface APIAggregatorOptions {
  readonly stores: ResourceStores;
  /** The group-versions that this server always serves. */
  readonly catalogs: readonly GroupVersion[];
  /** Writes the APIServices of what this server serves, and the conditions of all. */
  readonly writer: Writer;
  readonly report: (error: unknown) => void;
}

/** Keeps APIServices, and serves what they say in discovery. (kube-aggregator) */
export class APIAggregator {
  readonly discovery: AggregatedDiscovery;
  readonly #apiServices: APIServices;
  readonly #registration: AutoRegisterController;
  readonly #definitions: CRDRegistrationController;

  private constructor(apiServices: APIServices, { stores, catalogs, report }: APIAggregatorOptions) {
    const { clock } = stores;
    this.#apiServices = apiServices;
    this.#registration = new AutoRegisterController({ apiServices, clock, report });
    this.#definitions = new CRDRegistrationController(this.#registration);
    this.discovery = new AggregatedDiscovery({
      catalogs,
      registered: () => this.#registration.registered(),
      remote: () => [],
    });
    for (const [one, priority] of catalogPriorities(catalogs)) {
      if (one.group !== apiregistrationGroup) this.#registration.add(one, priority, 'onstart');
    }
  }

  /** Resolves when everything that this server serves is registered; with undefined if it serves no APIServices. */
  static async start(options: APIAggregatorOptions): Promise<APIAggregator | undefined> {
    const { stores, writer } = options;
    if (!servesAPIServices(stores)) return undefined;
    const aggregator = new APIAggregator(await APIServices.open(stores, writer), options);
    await aggregator.#definitions.start(stores);
    await aggregator.#registration.start();
    return aggregator;
  }

  /** Resolves when none of its writes is under way. */
  async close(): Promise<void> {
    this.#definitions.close();
    await this.#registration.close();
    this.#apiServices.close();
  }
}
