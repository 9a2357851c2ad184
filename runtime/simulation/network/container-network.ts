import type { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterNetwork } from './cluster-network.ts';
import type { DNSAnswer, RecordType } from './dns/record.ts';
import type { Protocol } from './endpoint.ts';
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

const isLoopback = (address: string): boolean => address === '127.0.0.1' || address === '::1';

/**
 * Returns the network of a pod, which is loaded on first use.
 *
 * @param pod returns the pod as it is now
 */
export function containerNetwork(pod: () => Pod, network: () => Promise<ClusterNetwork>): ContainerNetwork {
  const addressOf = (): string => pod().status?.podIP ?? '127.0.0.1';
  return {
    get address() {
      return addressOf();
    },
    async dial(address, port, protocol = 'TCP') {
      const loaded = await network();
      return isLoopback(address) ? loaded.dialPod(pod(), { port, protocol }) : loaded.dial({ address, port, protocol }, addressOf());
    },
    async listen(port, listener, protocol = 'TCP') {
      return (await network()).listen({ address: addressOf(), port, protocol }, listener);
    },
    async ask(server, name, type) {
      return (await network()).ask(server, name, type);
    },
  };
}
