import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** The domain of the cluster. (--cluster-domain of kubelets) */
export const clusterDomain = 'cluster.local';

const maxLength = 63;

/** The host name of a pod. (GeneratePodHostNameAndDomain) */
export interface PodHostname {
  readonly name: string;
  /** "" for none. */
  readonly domain: string;
  /** The kernel's name: the host name, with or without the domain. (GetNodenameForKernel) */
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
