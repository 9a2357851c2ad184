import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { dnsConfigOf } from './dns-config.ts';
import { hostnameOf } from './hostname.ts';

/* The network files in a container's /etc, as kubelets and containerd write them. */

export const hostnameFile = (pod: Pod): string => `${hostnameOf(pod).kernelName}\n`;

/** (managedHostsFileContent; the node's file for pods in its network) */
export function hostsFile(pod: Pod): string {
  const { name, domain } = hostnameOf(pod);
  const { hostNetwork, hostAliases = [], nodeName = '' } = pod.spec ?? {};
  const { podIPs = [], hostIP } = pod.status ?? {};
  const names = domain === '' ? name : `${name}.${domain}\t${name}`;
  const lines = hostNetwork
    ? ['# Kubernetes-managed hosts file (host network).', '127.0.0.1\tlocalhost', `${hostIP ?? ''}\t${nodeName}`]
    : ['# Kubernetes-managed hosts file.', ...commonHosts, ...podIPs.map(({ ip }) => `${ip}\t${names}`)];
  if (hostAliases.length > 0) {
    lines.push('', '# Entries added by HostAliases.');
    for (const { ip, hostnames = [] } of hostAliases) lines.push([ip, ...hostnames].join('\t'));
  }
  return `${lines.join('\n')}\n`;
}

const commonHosts: readonly string[] = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/** (containerd, parseDNSOptions) */
export function resolverFile(pod: Pod, objects: ClusterObjects): string {
  const { servers, searches, options } = dnsConfigOf(pod, objects);
  const lines = [
    ...(searches.length > 0 ? [`search ${searches.join(' ')}`] : []),
    ...servers.map((server) => `nameserver ${server}`),
    ...(options.length > 0 ? [`options ${options.join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
