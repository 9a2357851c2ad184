import type { Service } from '../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import type { Random } from '../machinery/random.ts';
import type { Collection } from '../storage/object-store/contract.ts';
import type { ServiceNetwork } from './service-network.ts';
import type { ResourceStores } from './stores.ts';

/** The address of a service. */
export interface ServiceAddress {
  /** An IP address or a DNS name. */
  readonly host: string;
  readonly port: number;
  /** Opens the connection. Default: over the host's network. */
  readonly dial?: ServiceNetwork['dial'];
}

/** Types of services that route to pods. */
const typesWithPods: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

/** Finds the current addresses of services. Errors have upstream's messages. (apiserver pkg/util/proxy/proxy.go) */
export class ServiceResolver {
  readonly #services: Collection | undefined;
  readonly #slices: Collection | undefined;
  readonly #random: Random;
  readonly #network: () => ServiceNetwork | undefined;

  private constructor(services: Collection | undefined, slices: Collection | undefined, stores: ResourceStores) {
    this.#random = stores.random;
    this.#network = () => stores.network;
    this.#services = services;
    this.#slices = slices;
  }

  static async open(stores: ResourceStores): Promise<ServiceResolver> {
    const open = async (group: string, resource: string): Promise<Collection | undefined> =>
      stores.serves(group, 'v1', resource) ? (await stores.byResource(group, 'v1', resource)).collection : undefined;
    const slices = await open('discovery.k8s.io', 'endpointslices');
    return new ServiceResolver(await open('', 'services'), slices, stores);
  }

  /**
   * Returns the address of the service itself: its cluster IP, or its external name.
   *
   * @throws Error
   */
  resolveCluster(namespace: string, name: string, port: number): ServiceAddress {
    const service = this.#required(namespace, name);
    const { type = 'ClusterIP', clusterIP = '', externalName = '' } = service.spec ?? {};
    if (type === 'ClusterIP' && clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
    if (type === 'ExternalName') return { host: externalName, port };
    if (!typesWithPods.has(type)) throw new Error(`unsupported service type "${type}"`);
    findServicePort(service, port);
    return { host: clusterIP, port, ...dialOf(this.#network()) };
  }

  /**
   * Returns a random ready endpoint, of the service's first IP family if possible.
   *
   * @throws Error
   */
  resolveEndpoint(namespace: string, name: string, port: number): ServiceAddress {
    const random = (): number => this.#random.float('endpoint', namespace, name);
    const service = this.#required(namespace, name);
    const { type = 'ClusterIP', ipFamilies = [] } = service.spec ?? {};
    if (!typesWithPods.has(type)) throw new Error(`unsupported service type "${type}"`);
    const portName = findServicePort(service, port).name ?? '';
    const slices = shuffled(this.endpointSlices(namespace, name), random);
    if (ipFamilies.length > 0) {
      slices.sort((a, b) => Number(b.addressType === ipFamilies[0]) - Number(a.addressType === ipFamilies[0]));
    }
    for (const slice of slices) {
      const endpoint = shuffled(slice.endpoints ?? [], random).find(isReady);
      const host = endpoint?.addresses[0];
      const target = portOf(slice, portName);
      if (host !== undefined && target !== undefined) {
        const network = this.#network();
        return { host, port: target, ...(network?.hasPod(host) && dialOf(network)) };
      }
    }
    throw new Error(`no endpoints available for service "${name}"`);
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services?.latest().get(namespace, name)?.decode() as Service | undefined;
  }

  endpointSlices(namespace: string, service: string): EndpointSlice[] {
    const slices: EndpointSlice[] = [];
    for (const stored of this.#slices?.latest().scan({ namespace }) ?? []) {
      if (stored.labels['kubernetes.io/service-name'] === service) slices.push(stored.decode() as EndpointSlice & object);
    }
    return slices;
  }

  /** Calls `listener` with the namespace and name of each service that changes or whose endpoints change. */
  onChange(listener: (namespace: string, name: string) => void): () => void {
    const stops = [
      this.#services?.watch({
        after: this.#services.latest().revision,
        onEvent: ({ object }) => listener(object.namespace, object.name),
      }),
      this.#slices?.watch({
        after: this.#slices.latest().revision,
        onEvent: ({ object: { namespace, labels } }) => listener(namespace, labels['kubernetes.io/service-name'] ?? ''),
      }),
    ];
    return () => {
      for (const stop of stops) stop?.();
    };
  }

  #required(namespace: string, name: string): Service {
    const service = this.service(namespace, name);
    if (service === undefined) throw new Error(`service "${name}" not found`);
    return service;
  }
}

const dialOf = (network: ServiceNetwork | undefined): Pick<ServiceAddress, 'dial'> => (network === undefined ? {} : { dial: network.dial });

export const isReady = ({ conditions }: Endpoint): boolean => conditions?.ready !== false;

/** Returns the number of a slice's port by name; "" for the unnamed port. */
export const portOf = ({ ports }: EndpointSlice, name: string): number | undefined =>
  ports?.find((port: EndpointPort) => port.name === name)?.port ?? undefined;

function findServicePort({ metadata, spec }: Service, port: number): { readonly name?: string } {
  const found = spec?.ports?.find((one) => one.port === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service "${metadata.name}"`);
  return found;
}

/** (Fisher and Yates) */
function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const result = [...values];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [result[at], result[other]] = [elementAt(result, other), elementAt(result, at)];
  }
  return result;
}
