import type { ApiContext } from '../../../http/context.ts';
import { type APIService, apiregistrationGroup, apiServiceName, legacyAPIServiceName } from '../api-service.ts';
import type { APIServices } from '../api-services.ts';
import { ProxyHandler, type ProxyOptions } from './proxy-handler.ts';

/** The handlers of remote group-versions, by the name of the APIService. */
export class ProxyHandlers {
  readonly #options: ProxyOptions;
  readonly #handlers = new Map<string, ProxyHandler>();

  constructor(apiServices: APIServices, options: ProxyOptions) {
    this.#options = options;
    apiServices.follow((name, current) => this.#onChange(name, current));
  }

  get(name: string): ProxyHandler | undefined {
    return this.#handlers.get(name);
  }

  has(group: string, version: string): boolean {
    return this.#handlers.size > 0 && this.#handlers.has(apiServiceName({ group, version }));
  }

  all(): Iterable<ProxyHandler> {
    return this.#handlers.values();
  }

  /** Returns the handler of a request; undefined if this server responds. */
  of({ state: { requestInfo } }: ApiContext): ProxyHandler | undefined {
    if (this.#handlers.size === 0 || requestInfo.path.startsWith('//')) return undefined;
    if (requestInfo.isResourceRequest) return this.#find(requestInfo.group, requestInfo.version);
    const [, root, group = '', version] = requestInfo.path.split('/', 4);
    if (root === 'api') return this.#handlers.get(legacyAPIServiceName);
    return root === 'apis' && version !== undefined ? this.#find(group, version) : undefined;
  }

  /** Returns the handler of a group-version. apiservices is never proxied. */
  #find(group: string, version: string): ProxyHandler | undefined {
    return group === apiregistrationGroup ? undefined : this.#handlers.get(apiServiceName({ group, version }));
  }

  /** Makes new transports, after a change of the client certificate. */
  updateTransports(): void {
    for (const handler of this.#handlers.values()) handler.update();
  }

  close(): void {
    for (const handler of this.#handlers.values()) handler.close();
  }

  #onChange(name: string, apiService: APIService | undefined): void {
    const known = this.#handlers.get(name);
    if (apiService?.spec.service === undefined) {
      known?.close();
      this.#handlers.delete(name);
    } else if (known === undefined) this.#handlers.set(name, new ProxyHandler(apiService, this.#options));
    else known.update(apiService);
  }
}
