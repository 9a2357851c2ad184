import type { Namespace, Node, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { StoredIndex } from './stored-index.ts';

/** The objects that decide who is reached by an address or a name. */
export interface NetworkObjects {
  /** Returns the running pods with an address. */
  podsAt(address: string): Iterable<Pod>;
  /** Returns the running pods of a node that have ports of the node. */
  podsOn(node: string): Iterable<Pod>;
  nodesAt(address: string): Iterable<Node>;
  /** Returns the services with an address: of the cluster, an external one, or a load balancer's. */
  servicesAt(address: string): Iterable<Service>;
  /** Returns the services with a port on each node. */
  servicesOf(nodePort: number): Iterable<Service>;
  service(namespace: string, name: string): Service | undefined;
  slicesOf(namespace: string, service: string): Iterable<EndpointSlice>;
  /** Returns the slices with the address of an endpoint. */
  slicesWith(address: string): Iterable<EndpointSlice>;
  hasNamespace(name: string): boolean;
}

const core = (resource: string) => ({ group: '', version: 'v1', resource });
const serviceName = 'kubernetes.io/service-name';

export async function openNetworkObjects(stores: ResourceStores): Promise<NetworkObjects> {
  const isRunning = ({ fields }: { readonly fields: Readonly<Record<string, string>> }) => fields['status.phase'] === 'Running';
  const pods = await StoredIndex.open<Pod>(stores, core('pods'), (stored) => {
    const address = isRunning(stored) ? stored.fields['status.podIP'] : undefined;
    return address ? [address, `node/${stored.fields['spec.nodeName']}`] : [];
  });
  const nodes = await StoredIndex.open<Node>(stores, core('nodes'), (stored, decode) =>
    (decode(stored).status?.addresses ?? []).map(({ address }) => address),
  );
  const services = await StoredIndex.open<Service>(stores, core('services'), (stored, decode) => {
    const service = decode(stored);
    return [nameKey(stored.namespace, stored.name), ...serviceAddresses(service), ...nodePortsOf(service)];
  });
  const slices = await StoredIndex.open<EndpointSlice>(
    stores,
    { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' },
    (stored, decode) => {
      const addresses = decode(stored).endpoints?.flatMap(({ addresses }) => addresses) ?? [];
      return [nameKey(stored.namespace, stored.labels[serviceName] ?? ''), ...addresses];
    },
  );
  const namespaces = await StoredIndex.open<Namespace>(stores, core('namespaces'), ({ name }) => [name]);
  return {
    podsAt: (address) => pods.of(address),
    podsOn: (node) => pods.of(`node/${node}`),
    nodesAt: (address) => nodes.of(address),
    servicesAt: (address) => services.of(address),
    servicesOf: (nodePort) => services.of(nodePortKey(nodePort)),
    service: (namespace, name) => [...services.of(nameKey(namespace, name))][0],
    slicesOf: (namespace, service) => slices.of(nameKey(namespace, service)),
    slicesWith: (address) => slices.of(address),
    hasNamespace: (name) => [...namespaces.of(name)].length > 0,
  };
}

const nameKey = (namespace: string, name: string): string => `name/${namespace}/${name}`;
const nodePortKey = (port: number): string => `nodePort/${port}`;

/** Returns all addresses that lead to a service. */
export function serviceAddresses({ spec, status }: Service): readonly string[] {
  const { clusterIP = '', clusterIPs = [clusterIP], externalIPs = [] } = spec ?? {};
  const ingress = status?.loadBalancer?.ingress?.filter(({ ipMode }) => ipMode !== 'Proxy').map(({ ip = '' }) => ip) ?? [];
  return [...clusterIPs, ...externalIPs, ...ingress].filter((address) => address !== '' && address !== 'None');
}

function nodePortsOf({ spec }: Service): readonly string[] {
  return (spec?.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePortKey(nodePort)] : []));
}
