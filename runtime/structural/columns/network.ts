import type { KubeObject, Part } from '../../machinery/object.ts';

/** Distinct addresses of a load balancer, by name. */
function balancerAddresses(status: Part): string[] {
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

const shown = 3;

/** The first three, and how many more there are. */
const listed = (items: readonly string[]): string =>
  items.length > shown ? `${items.slice(0, shown).join(',')} + ${items.length - shown} more...` : items.join(',');

export function endpointsText({ subsets }: KubeObject): string {
  if (!subsets?.length) return '<none>';
  const addresses: string[] = subsets.flatMap(({ addresses = [], ports = [] }: Part) =>
    ports.length === 0
      ? addresses.map(({ ip }: Part) => ip)
      : ports.flatMap(({ port }: Part) => addresses.map(({ ip }: Part) => joinHostPort(ip, port))),
  );
  return listed(addresses);
}

const joinHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

export const endpointSlicePorts = ({ ports }: KubeObject): string =>
  listed((ports ?? []).map(({ port, name }: Part) => String(port ?? name ?? '*'))) || '<unset>';
export const endpointSliceEndpoints = ({ endpoints }: KubeObject): string =>
  listed((endpoints ?? []).flatMap(({ addresses }: Part) => addresses ?? [])) || '<unset>';

/** Hosts of the rules, `*` for none; as upstream, what is left over is counted in rules. */
export function ingressHosts({ spec }: KubeObject): string {
  const rules: readonly Part[] = spec?.rules ?? [];
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === shown) more = true;
    else if (host) hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - shown} more...` : hosts.join(',');
}

export const ingressAddress = ({ status }: KubeObject): string => balancerAddresses(status).join(',');
export const ingressPorts = ({ spec }: KubeObject): string => (spec?.tls?.length > 0 ? '80, 443' : '80');

export function ingressClassParameters({ spec }: KubeObject): string {
  const parameters = spec?.parameters;
  if (!parameters) return '<none>';
  const group = parameters.apiGroup == null ? '' : `.${parameters.apiGroup}`;
  return `${parameters.kind}${group}/${parameters.name}`;
}

export const serviceCIDRs = ({ spec }: KubeObject): string => spec?.cidrs?.join(',') ?? '';

/** As `services/default/kubernetes`. */
export function ipAddressParent({ spec }: KubeObject): string {
  const parent = spec?.parentRef;
  if (!parent) return '<none>';
  const resource = `${parent.resource ?? ''}${parent.group ? `.${parent.group}` : ''}`.toLowerCase();
  return [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name ?? ''].join('/');
}
