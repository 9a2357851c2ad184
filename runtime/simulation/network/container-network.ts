import type { Duplex } from 'node:stream';
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
  listen(port: number, listener: Listener, protocol?: Protocol): () => void;
  /** Asks a DNS server. Undefined if there is none at the address. */
  ask(server: string, name: string, type: RecordType): Promise<DNSAnswer | undefined>;
}
