import type { Dial } from '../transport/dial.ts';

export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
  /** Opens the connection. Default: over the host's network. */
  readonly dial?: Dial;
}

/**
 * Returns the endpoint of a service's port. (apiserver pkg/util/webhook ServiceResolver)
 *
 * @throws Error in upstream's words for an unknown service or port
 */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ServiceEndpoint>;
