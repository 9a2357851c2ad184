import type { KubeObject, Part } from '../../../machinery/object.ts';
import type { ResourceStores } from '../../../resources/stores.ts';

/** Where a port of a service is reached. */
export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
}

/** @throws Error in upstream's words, for a service that leads nowhere */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ServiceEndpoint>;

/** By the services that are stored. (apiserver pkg/util/proxy/proxy.go ResolveCluster) */
export function serviceAddresses(stores: ResourceStores): ServiceResolver {
  return async (namespace, name, port) => {
    const service = await storedService(stores, namespace, name);
    if (service === undefined) throw new Error(`service "${name}" not found`);
    const { type, clusterIP, externalName, ports } = service.spec as Part;
    if (type === 'ExternalName') return { host: externalName, port };
    if (clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
    if (!ports?.some((one: Part) => one.port === port)) {
      throw new Error(`no service port ${port} found for service "${name}"`);
    }
    return { host: clusterIP, port };
  };
}

/** Undefined too where services are not served. */
async function storedService(stores: ResourceStores, namespace: string, name: string): Promise<KubeObject | undefined> {
  const entry = stores.registry.lookup('', 'v1', 'services');
  if (entry === undefined) return undefined;
  const store = await stores.of(await entry.load());
  return store.collection.latest().get(namespace, name)?.decode();
}
