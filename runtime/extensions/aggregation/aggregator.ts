import type { ApiContext } from '../../http/context.ts';
import type { GroupVersion } from '../../machinery/gvk.ts';
import type { RemoteResources } from '../../reconcile/remote-resources.ts';
import type { Writer } from '../../resources/rest.ts';
import { type ServiceAddress, ServiceResolver } from '../../resources/service-resolver.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { apiregistrationGroup, groupVersionOf } from './api-service.ts';
import { APIServices, servesAPIServices } from './api-services.ts';
import { AggregatedDiscovery } from './discovery/discovery.ts';
import { DiscoveryManager } from './discovery/discovery-manager.ts';
import { OpenAPIController } from './openapi/openapi-controller.ts';
import type { ProxyHandler, ProxyOptions } from './proxy/proxy-handler.ts';
import { ProxyHandlers } from './proxy/proxy-handlers.ts';
import type { ProxyCertificate } from './proxy/transport.ts';
import { AutoRegisterController } from './registration/autoregister-controller.ts';
import { CRDRegistrationController } from './registration/crd-registration-controller.ts';
import { catalogPriorities } from './registration/priorities.ts';
import { AggregatedResources } from './remote-resources.ts';
import { AvailableConditionController } from './status/available-condition-controller.ts';
import { AvailabilityMetrics } from './status/metrics.ts';

export interface APIAggregatorOptions {
  readonly stores: ResourceStores;
  /** The group-versions that this server always serves. */
  readonly catalogs: readonly GroupVersion[];
  /** The writer of the APIServices of this server's group-versions, and of all conditions. */
  readonly writer: Writer;
  readonly report: (error: unknown) => void;
  /** As ProxyOptions. */
  readonly clientCertificate: () => ProxyCertificate | undefined;
  readonly rejectForwardingRedirects: boolean;
  /**
   * The address of this server, which is the address of the service `kubernetes`; undefined until the server listens.
   */
  readonly loopback: () => ServiceAddress | undefined;
  /** Sends requests to an endpoint of a service rather than to its cluster IP. */
  readonly enableAggregatorRouting: boolean;
}

/**
 * Maintains APIServices, proxies the requests for remote ones, and serves the discovery of all. (kube-aggregator
 * pkg/apiserver/apiserver.go)
 */
export class APIAggregator {
  readonly discovery: AggregatedDiscovery;
  readonly openapi: OpenAPIController;
  /** The remote resources, for the controllers of this server. */
  readonly resources: RemoteResources;
  readonly metrics = new AvailabilityMetrics();
  readonly #apiServices: APIServices;
  readonly #registration: AutoRegisterController;
  readonly #definitions: CRDRegistrationController;
  readonly #proxies: ProxyHandlers;
  readonly #availability: AvailableConditionController;
  readonly #manager: DiscoveryManager;
  readonly #closing = new AbortController();

  private constructor(apiServices: APIServices, services: ServiceResolver, options: APIAggregatorOptions) {
    const { stores, catalogs, report } = options;
    const { clock } = stores;
    this.#apiServices = apiServices;
    this.#registration = new AutoRegisterController({ apiServices, clock, report });
    this.#definitions = new CRDRegistrationController(this.#registration);
    const proxy = proxyOptions(services, options);
    this.#proxies = new ProxyHandlers(apiServices, proxy);
    const { metrics } = this;
    this.#availability = new AvailableConditionController({ apiServices, services, proxy, metrics, clock, report });
    const proxies = this.#proxies;
    this.#manager = new DiscoveryManager({ apiServices, proxies, clock, report });
    const { signal } = this.#closing;
    this.resources = new AggregatedResources({ discovery: this.#manager, proxies, clock, signal });
    this.openapi = new OpenAPIController({ apiServices, proxies, clock, report });
    this.discovery = new AggregatedDiscovery({
      catalogs,
      registered: () => this.#registration.registered(),
      remote: () => this.#manager.versions(),
    });
    for (const [one, priority] of catalogPriorities(catalogs)) {
      if (one.group !== apiregistrationGroup) this.#registration.add(one, priority, 'onstart');
    }
  }

  /**
   * Resolves when all group-versions of this server are registered; with undefined if the server serves no APIServices.
   */
  static async start(options: APIAggregatorOptions): Promise<APIAggregator | undefined> {
    const { stores, writer } = options;
    if (!servesAPIServices(stores)) return undefined;
    const apiServices = await APIServices.open(stores, writer);
    const aggregator = new APIAggregator(apiServices, await ServiceResolver.open(stores), options);
    await aggregator.#definitions.start(stores);
    await aggregator.#registration.start();
    return aggregator;
  }

  /**
   * Returns the handler that proxies the request; undefined if this server responds. Free of cost without remote
   * APIServices.
   */
  handlerOf(ctx: ApiContext): ProxyHandler | undefined {
    return this.#proxies.of(ctx);
  }

  /** Reports whether another server has the group-version. */
  isRemote(group: string, version: string): boolean {
    return this.#proxies.has(group, version);
  }

  /** Returns the group-versions of other servers. */
  remoteGroupVersions(): GroupVersion[] {
    return [...this.#proxies.all()].map(({ apiService }) => groupVersionOf(apiService.metadata.name ?? ''));
  }

  /** Takes over a new client certificate. */
  certificateChanged(): void {
    this.#proxies.updateTransports();
  }

  /** Resolves when none of its writes is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#definitions.close();
    await this.#registration.close();
    await this.#availability.close();
    await this.#manager.close();
    await this.openapi.close();
    this.#proxies.close();
    this.#apiServices.close();
  }
}

function proxyOptions(services: ServiceResolver, options: APIAggregatorOptions): ProxyOptions {
  const { stores, clientCertificate, rejectForwardingRedirects, enableAggregatorRouting, loopback } = options;
  return {
    clock: stores.clock,
    clientCertificate,
    rejectForwardingRedirects,
    resolve(namespace, name, port) {
      // (NewLoopbackServiceResolver)
      const own = namespace === 'default' && name === 'kubernetes' && port === 443 ? loopback() : undefined;
      if (own !== undefined) return own;
      if (enableAggregatorRouting) return services.resolveEndpoint(namespace, name, port);
      return services.resolveCluster(namespace, name, port);
    },
  };
}
