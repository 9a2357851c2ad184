import type { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterNetwork } from './cluster-network.ts';
import type { DNSAnswer, RecordType } from './dns/record.ts';
import { leadsBack, type Protocol } from './endpoint.ts';
import type { Listener } from './listener.ts';

/** The network as the processes of a container see it. */
export interface ContainerNetwork {
  /** The address of the pod. */
  readonly address: string;
  /** @throws DialFault */
  dial(address: string, port: number, protocol?: Protocol): Promise<Duplex>;
  /**
   * Listens on a port of the pod.
   *
   * @returns a function that ends listening
   * @throws Error if the port is taken
   */
  listen(port: number, listener: Listener, protocol?: Protocol): Promise<() => void>;
  /** Asks a DNS server. Undefined if there is none at the address. */
  ask(server: string, name: string, type: RecordType): Promise<DNSAnswer | undefined>;
}

/** The network of a pod, which is loaded on first use. */
export class PodNetworkView implements ContainerNetwork {
  readonly #pod: () => Pod;
  readonly #network: () => Promise<ClusterNetwork>;

  /** @param pod returns the pod as it is now */
  constructor(pod: () => Pod, network: () => Promise<ClusterNetwork>) {
    this.#pod = pod;
    this.#network = network;
  }

  get address(): string {
    return this.#pod().status?.podIP ?? '127.0.0.1';
  }

  async dial(address: string, port: number, protocol: Protocol = 'TCP'): Promise<Duplex> {
    const network = await this.#network();
    return leadsBack(address) ? network.dialPod(this.#pod(), { port, protocol }) : network.dial({ address, port, protocol }, this.address);
  }

  async listen(port: number, listener: Listener, protocol: Protocol = 'TCP'): Promise<() => void> {
    return (await this.#network()).listen({ address: this.address, port, protocol }, listener);
  }

  async ask(server: string, name: string, type: RecordType): Promise<DNSAnswer | undefined> {
    return (await this.#network()).ask(server, name, type);
  }
}
