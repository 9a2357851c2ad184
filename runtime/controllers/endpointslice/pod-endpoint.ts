import type { Node, Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointPort } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { defined } from '../../machinery/json/defined.ts';
import { shouldSetHostname } from '../service-pods/pod-endpoints.ts';
import { findPort } from '../service-pods/service-ports.ts';

export type AddressType = 'IPv4' | 'IPv6';

const zoneLabel = 'topology.kubernetes.io/zone';

/** Returns the endpoint of a pod; undefined if the pod has no address of the type. (podToEndpoint) */
export function podToEndpoint(pod: Pod, node: Node | undefined, service: Service, addressType: AddressType): Endpoint | undefined {
  const addresses = (pod.status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => ip.includes(':') === (addressType === 'IPv6'));
  if (addresses.length === 0) return undefined;
  const { namespace, name, uid } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = Boolean(pod.metadata.deletionTimestamp);
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.[zoneLabel];
  return {
    addresses: addresses.sort(),
    conditions: { ready, serving, terminating },
    ...(shouldSetHostname(pod, service) && defined({ hostname: pod.spec?.hostname })),
    targetRef: defined({ kind: 'Pod', namespace, name, uid }),
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
  };
}

/** Returns the service's ports with the pod's numbers, in an order independent of the service's. (getEndpointPorts) */
export function endpointPorts({ spec }: Service, pod: Pod): EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const servicePort of spec?.ports ?? []) {
    const port = findPort(pod, servicePort);
    if (port === undefined) continue;
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    ports.push({ name, protocol, port, ...defined({ appProtocol }) });
  }
  return ports.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Returns a key that is equal for the same ports in any order. (NewPortMapKey) */
export function portMapKey(ports: readonly EndpointPort[] | null | undefined): string {
  const texts = (ports ?? []).map(({ name, protocol, port, appProtocol }) =>
    JSON.stringify([name ?? null, protocol ?? null, port ?? null, appProtocol ?? null]),
  );
  return texts.sort().join();
}

/** Returns a key that identifies an endpoint independent of its state. (hashEndpoint) */
export function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([[...addresses].sort(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** Reports whether two states of an endpoint are equal. (EndpointsEqualBeyondHash) */
export function sameState(a: Endpoint, b: Endpoint): boolean {
  return stateOf(a) === stateOf(b);
}

function stateOf({ nodeName, zone, conditions = {}, targetRef = {} }: Endpoint): string {
  const { ready, serving, terminating } = conditions;
  const { kind, namespace, name, uid, apiVersion, fieldPath } = targetRef;
  return JSON.stringify([nodeName, zone, ready, serving, terminating, kind, namespace, name, uid, apiVersion, fieldPath]);
}
