export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the endpoint of a service's port. (apiserver pkg/util/webhook ServiceResolver)
 *
 * @throws Error in upstream's words for an unknown service or port
 */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ServiceEndpoint>;
