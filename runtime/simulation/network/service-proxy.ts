import type { Service, ServicePort } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint as SliceEndpoint } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { DialFault } from './dial-fault.ts';
import type { Endpoint } from './endpoint.ts';
import type { NetworkObjects } from './network-objects.ts';

/** The number of clients whose endpoint is remembered; at least half of it is. */
const maxClients = 16_384;
const defaultAffinityTimeout = 10_800;

/** The place that a service leads to, and the address that its program sees as the client's. */
interface Target {
  readonly to: Endpoint;
  readonly from: string;
}

interface Client {
  readonly address: string;
  /** The node of the client; "" for none. */
  readonly node: string;
  /** Whether the client is in the network of the node. */
  readonly isOnNode: boolean;
}

/** The way by which a client addresses a service. */
type Way =
  | { readonly kind: 'cluster' }
  /** A port of a node, or an address from outside. */
  | { readonly kind: 'external'; readonly node: string; readonly isNodePort: boolean };

/** kube-proxy: chooses an endpoint for each connection to a service. (pkg/proxy) */
export class ServiceProxy {
  readonly #objects: NetworkObjects;
  readonly #now: () => number;
  readonly #affinity = new BoundedMap<string, { readonly endpoint: string; readonly at: number }>(maxClients);
  readonly #turns = new BoundedMap<string, number>(maxClients);

  /** @param now milliseconds since the epoch */
  constructor(objects: NetworkObjects, now: () => number) {
    this.#objects = objects;
    this.#now = now;
  }

  /**
   * Returns where a connection to an address leads; undefined if it is no service's.
   *
   * @throws DialFault if the service leads nowhere
   */
  target(to: Endpoint, client: Client): Target | undefined {
    const services = [...this.#objects.servicesAt(to.address)];
    for (const service of services) {
      const port = service.spec?.ports?.find((one) => one.port === to.port && (one.protocol ?? 'TCP') === to.protocol);
      if (port === undefined) continue;
      const isCluster = [service.spec?.clusterIP, ...(service.spec?.clusterIPs ?? [])].includes(to.address);
      const way: Way = isCluster ? { kind: 'cluster' } : { kind: 'external', node: client.node, isNodePort: false };
      return this.#choose(service, port, to, client, way);
    }
    if (services.length > 0) throw new DialFault('ECONNREFUSED');
    return this.#nodePortTarget(to, client);
  }

  #nodePortTarget(to: Endpoint, client: Client): Target | undefined {
    for (const service of this.#objects.servicesOf(to.port)) {
      const port = service.spec?.ports?.find((one) => one.nodePort === to.port && (one.protocol ?? 'TCP') === to.protocol);
      const [node] = port === undefined ? [] : this.#objects.nodesAt(to.address);
      if (port === undefined || node === undefined) continue;
      return this.#choose(service, port, to, client, { kind: 'external', node: node.metadata.name ?? '', isNodePort: true });
    }
    return undefined;
  }

  /** @throws DialFault */
  #choose(service: Service, port: ServicePort, { address, protocol }: Endpoint, client: Client, way: Way): Target {
    const { metadata, spec } = service;
    const { internalTrafficPolicy, externalTrafficPolicy } = spec ?? {};
    // what comes from pods never leaves the cluster, and is not bound to one node
    const comesFromOutside = way.kind === 'external' && (client.node === '' || (client.isOnNode && client.node !== way.node));
    const isLocal =
      way.kind === 'cluster' ? internalTrafficPolicy === 'Local' : externalTrafficPolicy === 'Local' && comesFromOutside && way.isNodePort;
    const node = way.kind === 'cluster' ? client.node : way.node;
    const all = this.#endpoints(service, port, address.includes(':') ? 'IPv6' : 'IPv4');
    const usable = usableOf(isLocal ? all.filter(({ endpoint }) => endpoint.nodeName === node) : all);
    if (usable.length === 0) throw new DialFault(all.length > 0 && isLocal ? 'ETIMEDOUT' : 'ECONNREFUSED');
    const key = `${metadata.namespace}/${metadata.name}/${port.name ?? ''}`;
    const chosen = this.#sticky(service, `${key} ${client.address}`, usable) ?? this.#next(key, usable);
    if (spec?.sessionAffinity === 'ClientIP') {
      this.#affinity.set(`${key} ${client.address}`, { endpoint: placeOf(chosen), at: this.#now() });
    }
    // traffic to a node's port that another node may answer is masqueraded
    const isMasqueraded = way.kind === 'external' && way.isNodePort && externalTrafficPolicy !== 'Local';
    const to = { address: chosen.address, port: chosen.port, protocol };
    return { to, from: isMasqueraded ? address : client.address };
  }

  #sticky({ spec }: Service, key: string, usable: readonly Backend[]): Backend | undefined {
    if (spec?.sessionAffinity !== 'ClientIP') return undefined;
    const known = this.#affinity.get(key);
    const timeout = 1000 * (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinityTimeout);
    if (known === undefined || this.#now() - known.at >= timeout) return undefined;
    return usable.find((one) => placeOf(one) === known.endpoint);
  }

  /** Endpoints take turns, where those of kube-proxy are random. */
  #next(key: string, usable: readonly Backend[]): Backend {
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    return usable[turn % usable.length] as Backend;
  }

  #endpoints({ metadata, spec }: Service, port: ServicePort, family: string): readonly Backend[] {
    const found: Backend[] = [];
    for (const slice of this.#objects.slicesOf(metadata.namespace ?? '', metadata.name ?? '')) {
      if (slice.addressType !== family && spec?.clusterIP !== undefined) continue;
      const target = slice.ports?.find(
        ({ name = '', protocol = 'TCP' }) => name === (port.name ?? '') && protocol === (port.protocol ?? 'TCP'),
      );
      if (target?.port === undefined) continue;
      for (const endpoint of slice.endpoints ?? []) {
        const [address] = endpoint.addresses;
        if (address !== undefined) found.push({ address, port: target.port, endpoint });
      }
    }
    return found;
  }
}

interface Backend {
  readonly address: string;
  readonly port: number;
  readonly endpoint: SliceEndpoint;
}

const placeOf = ({ address, port }: Backend): string => `${address}:${port}`;

/** Returns the ready endpoints, or else those that still serve while they terminate. (CategorizeEndpoints) */
function usableOf(all: readonly Backend[]): readonly Backend[] {
  const ready = all.filter(({ endpoint: { conditions } }) => conditions?.ready !== false);
  if (ready.length > 0) return ready;
  return all.filter(({ endpoint: { conditions } }) => conditions?.serving === true && conditions.terminating === true);
}
