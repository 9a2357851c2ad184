import { encodeQuery, escapePath } from '../../../client/proxy/location.ts';
import { ProxiedRequest } from '../../../client/proxy/proxied-request.ts';
import type { Headers } from '../../../client/transport/transport.ts';
import type { ApiContext } from '../../../http/context.ts';
import { requireUser } from '../../../http/request-state.ts';
import { respondPlainError } from '../../../http/respond.ts';
import { abortResponse } from '../../../http/response.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import type { ServiceAddress } from '../../../resources/service-resolver.ts';
import { type APIService, isAvailable, type ServiceReference } from '../api-service.ts';
import { setAuthProxyHeaders } from './auth-proxy-headers.ts';
import { type ProxyCertificate, ServiceTransport, transportKey } from './transport.ts';

export interface ProxyOptions {
  /** Returns the address of a service's port. @throws Error */
  readonly resolve: (namespace: string, name: string, port: number) => ServiceAddress;
  /** Returns the certificate that identifies the aggregator to other servers. */
  readonly clientCertificate: () => ProxyCertificate | undefined;
  readonly rejectForwardingRedirects: boolean;
  readonly clock: Clock;
}

/** The port of an APIService without one. */
const defaultPort = 443;
/** Milliseconds for a discovery request, because kubectl waits for it. (aggregatedDiscoveryTimeout) */
const discoveryTimeout = 5000;

/** Proxies the requests for one group-version to the server of its APIService. (kube-aggregator handler_proxy.go) */
export class ProxyHandler {
  readonly #options: ProxyOptions;
  #apiService: APIService;
  #transport: ServiceTransport;

  /** @param apiService has a service */
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
    return this.#forward(ctx, address);
  }

  async #forward(ctx: ApiContext, address: ServiceAddress): Promise<void> {
    const { clock, rejectForwardingRedirects } = this.#options;
    const { state } = ctx;
    const path = escapePath(state.requestInfo.path);
    const request = new ProxiedRequest(ctx, {
      transport: this.#transport,
      address,
      clock,
      rejectForwardingRedirects,
      path: path + encodeQuery(state.query),
      timeout: isDiscovery(ctx) ? discoveryTimeout : undefined,
      setHeaders(headers: Headers, isUpgrade: boolean) {
        const location = joinHostPort(address.host, address.port);
        if (!isUpgrade) {
          headers.set('x-forwarded-uri', [path]);
          headers.set('x-forwarded-host', [location]);
          headers.set('x-forwarded-proto', ['https']);
        }
        headers.set('host', [location]);
        headers.set('audit-id', [state.auditId]);
        setAuthProxyHeaders(headers, requireUser(state));
      },
    });
    try {
      await request.run();
    } catch (error) {
      if (!isStatusError(error)) throw error;
      respondUnavailable(ctx, error.message);
    }
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

/** Reports whether a request is for the resources of a group-version. (NewRequestForProxy) */
function isDiscovery({ state: { requestInfo } }: ApiContext): boolean {
  return !requestInfo.isResourceRequest && requestInfo.path.replace(/^\/+|\/+$/g, '').split('/').length === 3;
}

/** Responds with 503 to any failure. (kube-aggregator responder) */
function respondUnavailable(ctx: ApiContext, message: string): void {
  try {
    respondPlainError(ctx, 503, message);
  } catch {
    // the stream of an HTTP/2 client is gone, which the request does not know yet
    abortResponse(ctx.res);
  }
}
