import type { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { DialFault } from './dial-fault.ts';
import type { Endpoint, Protocol } from './endpoint.ts';
import type { Listener } from './listener.ts';

/** A place to listen at. */
export interface ListeningPlace extends Omit<Endpoint, 'port'> {
  /** Default: every port that has no other listener. */
  readonly port?: number | undefined;
}

/** The cluster as its network sees it. */
export interface NetworkView {
  /** Returns the running pods that have an address: more than one in the network of a node. */
  podsAt(address: string): Promise<readonly Pod[]>;
  /** Returns what a container of the pod listens with; undefined if nothing listens. */
  listenerOf(pod: Pod, at: Endpoint): Promise<Listener | undefined>;
}

/** The first port of clients, and how many there are. (ip_local_port_range) */
const firstPort = 32_768;
const portCount = 28_232;

/** The network of a simulated cluster: who listens where, and who is connected when an address is dialed. */
export class ClusterNetwork {
  readonly #view: NetworkView;
  readonly #listeners = new Map<string, Listener>();
  #ports = 0;

  constructor(view: NetworkView) {
    this.#view = view;
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
   * Connects to an address. With UDP, each chunk is a datagram.
   *
   * @param from the address of the client: a pod's, or a node's
   * @throws DialFault
   */
  async dial(to: Endpoint, from: string): Promise<Duplex> {
    const { protocol } = to;
    const client = { address: from, port: this.#nextPort(), protocol };
    const own = isLoopback(to.address) ? { ...to, address: from } : to;
    const listener = this.#listenerAt(own);
    if (listener !== undefined) return listener(client, own);
    const pods = await this.#view.podsAt(own.address);
    for (const pod of pods) {
      const simulated = await this.#view.listenerOf(pod, own);
      if (simulated !== undefined) return simulated(client, own);
    }
    throw new DialFault(pods.length > 0 ? 'ECONNREFUSED' : 'EHOSTUNREACH');
  }

  /**
   * Connects to a port of a pod from within the pod.
   *
   * @throws DialFault
   */
  async dialWithin(pod: Pod, port: number, protocol: Protocol = 'TCP'): Promise<Duplex> {
    const { podIP: address = '127.0.0.1' } = pod.status ?? {};
    const to = { address, port, protocol };
    const listener = this.#listenerAt(to) ?? (await this.#view.listenerOf(pod, to));
    if (listener === undefined) throw new DialFault('ECONNREFUSED');
    return listener({ ...to, port: this.#nextPort() }, to);
  }

  #listenerAt(at: Endpoint): Listener | undefined {
    return this.#listeners.get(keyOf(at)) ?? this.#listeners.get(keyOf({ ...at, port: undefined }));
  }

  #nextPort(): number {
    this.#ports = (this.#ports + 1) % portCount;
    return firstPort + this.#ports;
  }
}

const isLoopback = (address: string): boolean => address === '127.0.0.1' || address === '::1';

const keyOf = ({ address, port, protocol }: ListeningPlace): string => `${protocol}/${address}/${port ?? ''}`;
