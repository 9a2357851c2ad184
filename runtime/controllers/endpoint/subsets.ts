import type { EndpointAddress, EndpointSubset, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { defined } from '../../machinery/json/defined.ts';
import { shouldPodBeInEndpoints, shouldSetHostname } from '../service-pods/pod-endpoints.ts';
import { findPort } from '../service-pods/service-ports.ts';
import { type AddressOfPort, packSubsets } from './pack-subsets.ts';

/** Returns the addresses of a service's pods, grouped by ports. (pkg/controller/endpoint) */
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
      found.push({ address, port: defined({ name, port, protocol, appProtocol }), ready });
    }
  }
  return packSubsets(found);
}

/**
 * Returns the pod's address in the service's first IP family; undefined if it has none.
 * (podToEndpointAddressForService)
 */
function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const { ipFamilies = [], clusterIP = '' } = service.spec ?? {};
  const example = clusterIP !== '' && clusterIP !== 'None' ? clusterIP : (pod.status?.podIP ?? '');
  const isIPv6 = ipFamilies.length > 0 ? ipFamilies[0] === 'IPv6' : example.includes(':');
  const ip = pod.status?.podIPs?.find((one) => one.ip.includes(':') === isIPv6)?.ip;
  if (ip === undefined) return undefined;
  const { namespace, name, uid } = pod.metadata;
  return {
    ip,
    ...(shouldSetHostname(pod, service) && defined({ hostname: pod.spec?.hostname })),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: defined({ kind: 'Pod', namespace, name, uid }),
  };
}
