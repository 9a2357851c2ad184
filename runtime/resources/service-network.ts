import type { Duplex } from 'node:stream';

/** The network of services and pods that exist inside the server only. */
export interface ServiceNetwork {
  /** Connects to the address of a service or a pod. */
  readonly dial: (address: { readonly host: string; readonly port: number }) => Duplex;
  /** Reports whether an address is of a pod in this network. */
  hasPod(host: string): boolean;
}
