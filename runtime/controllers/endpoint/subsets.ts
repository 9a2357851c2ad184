import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Pod,
  Service,
} from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { shouldPodBeInEndpoints, shouldSetHostname } from '../service-pods/pod-endpoints.ts';
import { findPort } from '../service-pods/service-ports.ts';

/** An address, with or without a port. */
interface AddressOfPort {
  readonly address: EndpointAddress;
  readonly port: EndpointPort | undefined;
  readonly ready: boolean;
}

/** The addresses of a service's pods, those with the same ports together. (pkg/controller/endpoint) */
export function subsetsOf(service: Service, pods: readonly Pod[]): EndpointSubset[] {
  const { ports = [], clusterIP, publishNotReadyAddresses = false } = service.spec ?? {};
  const found: AddressOfPort[] = [];
  for (const pod of pods) {
    const address = shouldPodBeInEndpoints(pod, publishNotReadyAddresses) ? addressOf(service, pod) : undefined;
    if (address === undefined) continue;
    const ready = publishNotReadyAddresses || isPodReady(pod);
    if (ports.length === 0 && clusterIP === 'None') found.push({ address, port: undefined, ready });
    for (const servicePort of ports) {
      const port = findPort(pod, servicePort);
      if (port === undefined) continue;
      const { name, protocol, appProtocol } = servicePort;
      found.push({ address, port: { name, port, protocol, appProtocol }, ready });
    }
  }
  return repacked(found);
}

/** Of the service's first IP family; undefined if the pod has none. (podToEndpointAddressForService) */
function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const { ipFamilies = [], clusterIP = '' } = service.spec ?? {};
  const example = clusterIP !== '' && clusterIP !== 'None' ? clusterIP : (pod.status?.podIP ?? '');
  const isIPv6 = ipFamilies.length > 0 ? ipFamilies[0] === 'IPv6' : example.includes(':');
  const ip = pod.status?.podIPs?.find((one) => one.ip.includes(':') === isIPv6)?.ip;
  if (ip === undefined) return undefined;
  const { namespace, name, uid } = pod.metadata;
  return {
    ip,
    ...(shouldSetHostname(pod, service) && { hostname: pod.spec?.hostname }),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

/**
 * Ports that the same addresses have are one subset. Upstream orders subsets and ports by their hashes; here it is by their
 * text. (pkg/api/v1/endpoints/util.go RepackSubsets)
 */
function repacked(found: readonly AddressOfPort[]): EndpointSubset[] {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly ready: Map<string, boolean> }>();
  const addresses = new Map<string, EndpointAddress>();
  for (const { address, port, ready } of found) {
    const key = `${address.ip} ${address.targetRef?.uid}`;
    addresses.set(key, address);
    const text = JSON.stringify(port ?? null);
    const ofPort = byPort.get(text) ?? { port, ready: new Map<string, boolean>() };
    ofPort.ready.set(key, (ofPort.ready.get(key) ?? true) && ready);
    byPort.set(text, ofPort);
  }
  const subsets = new Map<string, EndpointSubset>();
  for (const [, { port, ready }] of [...byPort].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sorted = [...ready].sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify(sorted);
    const subset = subsets.get(key) ?? {
      addresses: sorted.filter(([, isReady]) => isReady).map(([address]) => addresses.get(address) as EndpointAddress),
      notReadyAddresses: sorted
        .filter(([, isReady]) => !isReady)
        .map(([address]) => addresses.get(address) as EndpointAddress),
    };
    subsets.set(key, port === undefined ? subset : { ...subset, ports: [...(subset.ports ?? []), port] });
  }
  return [...subsets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, subset]) => withoutEmptyLists(subset));
}

const withoutEmptyLists = (subset: EndpointSubset): EndpointSubset =>
  Object.fromEntries(Object.entries(subset).filter(([, list]) => list.length > 0));
