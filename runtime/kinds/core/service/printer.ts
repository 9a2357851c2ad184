import type { KubeObject, Part } from '../../../machinery/object.ts';

/** Distinct addresses of a load balancer, by name. */
export function balancerAddresses(status: Part): string[] {
  const addresses: string[] = (status?.loadBalancer?.ingress ?? []).map(
    ({ ip, hostname }: Part) => ip || hostname || '',
  );
  return [...new Set(addresses)].filter((address) => address !== '').sort();
}

export function serviceExternalIP({ spec, status }: KubeObject): string {
  const external: readonly string[] = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...balancerAddresses(status), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

export const servicePorts = ({ spec }: KubeObject): string =>
  (spec?.ports ?? [])
    .map(({ port, nodePort, protocol }: Part) => `${nodePort > 0 ? `${port}:${nodePort}` : port}/${protocol ?? ''}`)
    .join(',') || '<none>';
