import type { ApiContext } from '../../../http/context.ts';
import { respondPlainError } from '../../../http/respond.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { ServiceAddress } from '../../../resources/service-resolver.ts';
import { type APIService, isAvailable, type ServiceReference } from '../api-service.ts';
import { ProxiedRequest } from './proxied-request.ts';
import { type ProxyCertificate, ServiceTransport, transportKey } from './transport.ts';

export interface ProxyOptions {
  /** Where a port of a service is. @throws Error */
  readonly resolve: (namespace: string, name: string, port: number) => ServiceAddress;
  /** What shows other servers that requests come from the aggregator. */
  readonly clientCertificate: () => ProxyCertificate | undefined;
  readonly rejectForwardingRedirects: boolean;
  readonly clock: Clock;
}

/** The port of an APIService without one. */
const defaultPort = 443;

/** Passes the requests for one group-version on to the server of its APIService. (kube-aggregator handler_proxy.go) */
export class ProxyHandler {
  readonly #options: ProxyOptions;
  #apiService: APIService;
  #transport: ServiceTransport;

  /** @param apiService with a service */
  constructor(apiService: APIService, options: ProxyOptions) {
    this.#options = options;
    this.#apiService = apiService;
    this.#transport = new ServiceTransport(apiService.spec, options.clientCertificate());
  }

  get apiService(): APIService {
    return this.#apiService;
  }

  get transport(): ServiceTransport {
    return this.#transport;
  }

  /** Takes over a new state of the APIService, or a new client certificate. */
  update(apiService: APIService = this.#apiService): void {
    this.#apiService = apiService;
    const certificate = this.#options.clientCertificate();
    if (transportKey(apiService.spec, certificate) === this.#transport.key) return;
    this.#transport.retire();
    this.#transport = new ServiceTransport(apiService.spec, certificate);
  }

  /** Resolves when the response is complete. */
  handle(ctx: ApiContext): void | Promise<void> {
    if (!isAvailable(this.#apiService)) return respondPlainError(ctx, 503, 'service unavailable');
    const { error } = this.#transport;
    if (error !== undefined) return respondPlainError(ctx, 500, error);
    let address: ServiceAddress;
    try {
      address = this.address();
    } catch {
      return respondPlainError(ctx, 503, 'service unavailable');
    }
    const { clock, rejectForwardingRedirects } = this.#options;
    return new ProxiedRequest(ctx, { transport: this.#transport, address, clock, rejectForwardingRedirects }).run();
  }

  /** @throws Error if the service cannot be found */
  address(): ServiceAddress {
    const { namespace = '', name = '', port = defaultPort } = this.#apiService.spec.service as ServiceReference;
    return this.#options.resolve(namespace, name, port);
  }

  close(): void {
    this.#transport.retire();
  }
}
