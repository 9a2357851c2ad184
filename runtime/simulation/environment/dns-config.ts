import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { addOffset, addressText, parseAddress } from '../../machinery/scalars/netip.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { clusterDomain } from './hostname.ts';

/** The name resolution of a pod. */
export interface DNSConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
  /** A kubelet's messages about entries above the limits. */
  readonly problems: readonly string[];
}

/** The name server of simulated nodes: the gateway of their network. */
const nodeServers = ['172.16.0.1'];
const maxServers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;

/** (pkg/kubelet/network/dns GetPodDNS) */
export function dnsConfigOf({ metadata, spec }: Pod, objects: ClusterObjects): DNSConfig {
  const { dnsPolicy = 'ClusterFirst', hostNetwork, dnsConfig } = spec ?? {};
  const asksCluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && hostNetwork !== true);
  const server = asksCluster ? clusterServer(objects) : undefined;
  const servers = dnsPolicy === 'None' ? [] : server === undefined ? nodeServers : [server];
  const domains = [`${metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
  const options = new Map(server === undefined ? [] : [['ndots', '5']]);
  for (const { name = '', value = '' } of dnsConfig?.options ?? []) options.set(name, value);
  return withinLimits({
    servers: [...new Set([...servers, ...(dnsConfig?.nameservers ?? [])])],
    searches: [...new Set([...(server === undefined ? [] : domains), ...(dnsConfig?.searches ?? [])])],
    options: [...options].map(([name, value]) => (value === '' ? name : `${name}:${value}`)),
  });
}

/** Returns the address of the service kube-dns, or else kubeadm's address for it: the tenth in the service network. */
export function clusterServer(objects: ClusterObjects): string | undefined {
  const own = objects.service('kube-system', 'kube-dns')?.spec?.clusterIP;
  if (own) return own;
  const first = objects.service('default', 'kubernetes')?.spec?.clusterIP;
  return first && addressText(addOffset(parseAddress(first), 9n));
}

/** (formDNSConfigFitsLimits) */
function withinLimits({ servers, searches, options }: Omit<DNSConfig, 'problems'>): DNSConfig {
  const problems: string[] = [];
  const kept = servers.slice(0, maxServers);
  if (kept.length < servers.length) {
    const why = 'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is';
    problems.push(`${why}: ${kept.join(' ')}`);
  }
  const applied = searches.slice(0, maxSearches).filter((search) => search.length <= maxNameLength);
  while (applied.join(' ').length > maxSearchCharacters) applied.pop();
  if (applied.length < searches.length) {
    const why = 'Search Line limits were exceeded, some search paths have been omitted, the applied search line is';
    problems.push(`${why}: ${applied.join(' ')}`);
  }
  return { servers: kept, searches: applied, options, problems };
}

const maxNameLength = 253;
