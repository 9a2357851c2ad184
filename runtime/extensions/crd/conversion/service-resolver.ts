import type { ServiceResolver } from '../../../client/webhook/service-resolver.ts';
import { ServiceResolver as Services } from '../../../resources/service-resolver.ts';
import type { ResourceStores } from '../../../resources/stores.ts';

/** Resolves services to their cluster IPs. */
export function serviceResolver(stores: ResourceStores): ServiceResolver {
  return async (namespace, name, port) => (await Services.open(stores)).resolveCluster(namespace, name, port);
}
