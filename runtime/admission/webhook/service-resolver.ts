import type { ServiceResolver } from '../../client/webhook/service-resolver.ts';
import { once } from '../../machinery/event-loop/once.ts';
import { ServiceResolver as Services } from '../../resources/service-resolver.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/**
 * Resolves a service to one of its ready endpoints, which needs no proxy on the nodes. Without ready endpoints, and for
 * an external name, resolves it to the address that clients connect to. (kubeapiserver buildServiceResolver)
 */
export function serviceResolver(stores: ResourceStores): ServiceResolver {
  const opened = once(() => Services.open(stores));
  return async (namespace, name, port) => {
    const services = await opened();
    try {
      return services.resolveEndpoint(namespace, name, port);
    } catch {
      return services.resolveCluster(namespace, name, port);
    }
  };
}
