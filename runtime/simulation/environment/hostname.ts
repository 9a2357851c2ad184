import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** The domain of the cluster. (--cluster-domain of kubelets) */
export const clusterDomain = 'cluster.local';

const maxLength = 63;

/** What a pod is called. (GeneratePodHostNameAndDomain) */
export interface PodHostname {
  readonly name: string;
  /** "" if it has none. */
  readonly domain: string;
  /** What the kernel says: the name, or that with the domain. (GetNodenameForKernel) */
  readonly kernelName: string;
}

export function hostnameOf({ metadata, spec }: Pod): PodHostname {
  const { hostname, hostnameOverride, subdomain, setHostnameAsFQDN, hostNetwork, nodeName = '' } = spec ?? {};
  const name = truncated(hostnameOverride ?? (hostname || metadata.name || ''));
  const domain = subdomain && hostnameOverride === undefined ? `${subdomain}.${metadata.namespace}.svc.${clusterDomain}` : '';
  const kernelName = setHostnameAsFQDN && domain !== '' ? `${name}.${domain}` : name;
  return { name, domain, kernelName: hostNetwork ? nodeName : kernelName };
}

const truncated = (name: string): string => (name.length <= maxLength ? name : name.slice(0, maxLength).replace(/[-.]+$/, ''));
