import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { ResourceStores } from '../../../resources/stores.ts';
import type { ServiceResolver } from '../../../webhook/service-resolver.ts';

/** Resolves services to their cluster IPs. (apiserver pkg/util/proxy/proxy.go ResolveCluster) */
export function serviceResolver(stores: ResourceStores): ServiceResolver {
  return async (namespace, name, port) => {
    const service = await getService(stores, namespace, name);
    if (service === undefined) throw new Error(`service "${name}" not found`);
    const { type, clusterIP = '', externalName = '', ports } = service.spec ?? {};
    if (type === 'ExternalName') return { host: externalName, port };
    if (clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
    if (!ports?.some((one) => one.port === port)) {
      throw new Error(`no service port ${port} found for service "${name}"`);
    }
    return { host: clusterIP, port };
  };
}

/** Returns undefined if the service does not exist or the server has no services. */
async function getService(stores: ResourceStores, namespace: string, name: string): Promise<Service | undefined> {
  if (!stores.serves('', 'v1', 'services')) return undefined;
  const { collection } = await stores.named('', 'v1', 'services');
  return collection.latest().get(namespace, name)?.decode() as Service | undefined;
}
