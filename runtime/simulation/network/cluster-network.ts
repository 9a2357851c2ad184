import type { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { DialFault } from './dial-fault.ts';
import { ClusterDNS } from './dns/cluster-dns.ts';
import type { DNSAnswer, RecordType } from './dns/record.ts';
import { type Endpoint, leadsBack } from './endpoint.ts';
import type { Listener } from './listener.ts';
import type { NetworkObjects } from './network-objects.ts';
import { ServiceProxy } from './service-proxy.ts';

/** A place to listen at. */
export interface ListeningPlace extends Omit<Endpoint, 'port'> {
  /** Default: every port that has no other listener. */
  readonly port?: number | undefined;
}

export interface ClusterNetworkOptions {
  readonly clock: Pick<Clock, 'now'>;
  objects(): Promise<NetworkObjects>;
  /** Returns what a container of the pod listens with; undefined if nothing listens. */
  listenerOf(pod: Pod, at: Endpoint): Promise<Listener | undefined>;
  /** Returns the address of the DNS server; undefined if there is none. */
  dnsServer(): Promise<string | undefined>;
}

/** The first port of clients, and how many there are. (ip_local_port_range) */
const firstPort = 32_768;
const portCount = 28_232;

/** The network of a simulated cluster: who listens where, and who is connected when an address is dialed. */
export class ClusterNetwork {
  readonly #options: ClusterNetworkOptions;
  readonly #listeners = new Map<string, Listener>();
  readonly #parts: () => Promise<Parts>;
  #ports = 0;

  constructor(options: ClusterNetworkOptions) {
    this.#options = options;
    this.#parts = once(async () => {
      const objects = await options.objects();
      return { objects, proxy: new ServiceProxy(objects, () => options.clock.now()), dns: new ClusterDNS(objects) };
    });
  }

  /**
   * Listens at an address, as a process in the network of a pod or of a node does.
   *
   * @returns a function that ends listening
   * @throws Error if the place is taken
   */
  listen(at: ListeningPlace, listener: Listener): () => void {
    const key = keyOf(at);
    if (this.#listeners.has(key)) throw Object.assign(new Error('EADDRINUSE'), { code: 'EADDRINUSE' });
    this.#listeners.set(key, listener);
    return () => {
      if (this.#listeners.get(key) === listener) this.#listeners.delete(key);
    };
  }

  /**
   * Connects to an address, of a pod, a service or a node. With UDP, each chunk is a datagram.
   *
   * @param from the address of the client: a pod's, or a node's
   * @throws DialFault
   */
  async dial(to: Endpoint, from: string): Promise<Duplex> {
    const own = leadsBack(to.address) ? { ...to, address: from } : to;
    const direct = this.#listenerAt(own);
    if (direct !== undefined) return direct(this.#client(from, to), own);
    const { objects, proxy } = await this.#parts();
    const target = proxy.target(own, clientOf(from, objects));
    if (target === undefined) return this.#dialPlace(own, from, objects);
    return this.#dialPlace(target.to, target.from, objects);
  }

  /** Connects to the address of a pod or of a node. */
  async #dialPlace(to: Endpoint, from: string, objects: NetworkObjects): Promise<Duplex> {
    const direct = this.#listenerAt(to);
    if (direct !== undefined) return direct(this.#client(from, to), to);
    let isKnown = false;
    for (const pod of objects.podsAt(to.address)) {
      isKnown = true;
      const listener = await this.#options.listenerOf(pod, to);
      if (listener !== undefined) return listener(this.#client(from, to), to);
    }
    for (const node of objects.nodesAt(to.address)) {
      isKnown = true;
      for (const pod of objects.podsOn(node.metadata.name ?? '')) {
        const port = hostPort(pod, to);
        if (port !== undefined) return this.dialPod(pod, { port, protocol: to.protocol }, from);
      }
    }
    throw new DialFault(isKnown ? 'ECONNREFUSED' : 'EHOSTUNREACH');
  }

  /**
   * Asks the DNS server of the cluster.
   *
   * @param server an address
   * @returns undefined if there is no DNS server at the address
   */
  async ask(server: string, name: string, type: RecordType): Promise<DNSAnswer | undefined> {
    if (server !== (await this.#options.dnsServer())) return undefined;
    return (await this.#parts()).dns.query(name, type);
  }

  /**
   * Connects to a port of a pod, which need not be stored.
   *
   * @param from Default: the pod itself
   * @throws DialFault
   */
  async dialPod(pod: Pod, at: Pick<Endpoint, 'port'> & Partial<Endpoint>, from?: string): Promise<Duplex> {
    const { podIP: address = '127.0.0.1' } = pod.status ?? {};
    const to: Endpoint = { address, protocol: 'TCP', ...at };
    const listener = this.#listenerAt(to) ?? (await this.#options.listenerOf(pod, to));
    if (listener === undefined) throw new DialFault('ECONNREFUSED');
    return listener(this.#client(from ?? address, to), to);
  }

  /**
   * Connects as the kubelet of a pod does, which probes the pod or another address.
   *
   * @throws DialFault
   */
  dialFromNode(pod: Pod, to: Endpoint): Promise<Duplex> {
    const { podIP, hostIP = '' } = pod.status ?? {};
    return to.address === podIP ? this.dialPod(pod, to, hostIP) : this.dial(to, hostIP);
  }

  #listenerAt(at: Endpoint): Listener | undefined {
    return this.#listeners.get(keyOf(at)) ?? this.#listeners.get(keyOf({ ...at, port: undefined }));
  }

  /** Returns the end of a new client. */
  #client(address: string, { protocol }: Endpoint): Endpoint {
    this.#ports = (this.#ports + 1) % portCount;
    return { address, port: firstPort + this.#ports, protocol };
  }
}

interface Parts {
  readonly objects: NetworkObjects;
  readonly proxy: ServiceProxy;
  readonly dns: ClusterDNS;
}

/** Returns where a client is: in the network of a node, or in a pod of it. */
function clientOf(address: string, objects: NetworkObjects) {
  for (const node of objects.nodesAt(address)) return { address, node: node.metadata.name ?? '', isOnNode: true };
  for (const { spec } of objects.podsAt(address)) return { address, node: spec?.nodeName ?? '', isOnNode: false };
  return { address, node: '', isOnNode: true };
}

/** Returns the port of a container for a port of its node. */
function hostPort({ spec }: Pod, { address, port, protocol }: Endpoint): number | undefined {
  for (const { ports = [] } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const found = ports.find(
      (one) => one.hostPort === port && (one.protocol ?? 'TCP') === protocol && [undefined, '', '0.0.0.0', address].includes(one.hostIP),
    );
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

const keyOf = ({ address, port, protocol }: ListeningPlace): string => `${protocol}/${address}/${port ?? ''}`;
