import type { Service as GeneratedService } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

/** Columns of services. (pkg/printers/internalversion/printers.go, printService) */

type Service = Unvalidated<GeneratedService>;

/** A status with the addresses of load balancers, as in services and ingresses. */
interface LoadBalancedStatus {
  readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
}

/** Returns the distinct addresses, sorted. (loadBalancerStatusStringer) */
export function loadBalancerAddresses(status: LoadBalancedStatus | undefined): string[] {
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses)].filter((address) => address !== '').sort();
}

/** (getServiceExternalIP) */
export function serviceExternalIP({ spec, status }: Service): string {
  const externalIPs = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer':
      return [...loadBalancerAddresses(status), ...externalIPs].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** Formats the ports: `80:30080/TCP`, or <none>. (makePortString) */
export const servicePorts = ({ spec }: Service): string =>
  (spec?.ports ?? [])
    .map(({ port, nodePort = 0, protocol = '' }) => `${nodePort > 0 ? `${port}:${nodePort}` : port}/${protocol}`)
    .join(',') || '<none>';
