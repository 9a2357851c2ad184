import type { NetworkObjects } from '../../runtime/simulation/network/network-objects.ts';
import { serviceAddresses } from '../../runtime/simulation/network/network-objects.ts';
import type { TestObject } from './test-object.ts';

/** Returns the given objects as the network of a simulated cluster sees them. */
export function networkObjects(...given: readonly TestObject[]): NetworkObjects {
  const all = (kind: string) => given.filter((one) => one.kind === kind) as never[];
  const find = (kind: string, matches: (one: TestObject) => boolean) => all(kind).filter((one) => matches(one));
  return {
    podsAt: (address) => find('Pod', ({ status }) => status?.podIP === address),
    podsOn: (node) => find('Pod', ({ spec }) => spec?.nodeName === node),
    nodesAt: (address) => find('Node', ({ status }) => status?.addresses?.some((one: TestObject) => one.address === address)),
    servicesAt: (address) => find('Service', (one) => serviceAddresses(one as never).includes(address)),
    servicesOf: (nodePort) => find('Service', ({ spec }) => spec.ports?.some((port: TestObject) => port.nodePort === nodePort)),
    service: (namespace, name) => find('Service', ({ metadata }) => metadata.namespace === namespace && metadata.name === name)[0],
    slicesOf: (namespace, service) =>
      find(
        'EndpointSlice',
        ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['kubernetes.io/service-name'] === service,
      ),
    slicesWith: (address) => find('EndpointSlice', ({ endpoints }) => endpoints.some((one: TestObject) => one.addresses.includes(address))),
    hasNamespace: (name) => name === 'default' || name === 'other',
  };
}

export const nodeObject = (name: string, address: string): TestObject => ({
  kind: 'Node',
  metadata: { name },
  status: { addresses: [{ type: 'InternalIP', address }] },
});

export const podObject = (name: string, podIP: string, { spec = {}, annotations = {} } = {}): TestObject => ({
  kind: 'Pod',
  metadata: { name, namespace: 'default', annotations },
  spec: { nodeName: 'n1', containers: [], ...spec },
  status: { podIP, podIPs: [{ ip: podIP }], phase: 'Running' },
});

export const serviceObject = (name: string, spec: object, status = {}): TestObject => ({
  kind: 'Service',
  metadata: { name, namespace: 'default' },
  spec: { ports: [{ port: 80, protocol: 'TCP' }], ...spec },
  status,
});

/** @param endpoints addresses, or endpoints */
export const sliceObject = (service: string, endpoints: readonly (string | object)[], ports: object[] = [{ port: 8080 }]): TestObject => ({
  kind: 'EndpointSlice',
  metadata: { name: `${service}-1`, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
  addressType: 'IPv4',
  endpoints: endpoints.map((one) => (typeof one === 'string' ? { addresses: [one] } : one)),
  ports,
});
