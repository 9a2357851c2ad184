/** The addresses of services, and of the service `kubernetes`. (kube-apiserver: cmd/kube-apiserver/app/options/options.go) */
export interface ServiceOptions {
  /**
   * The range of cluster IPs, or two ranges of different families separated by a comma. The first is that of the service
   * `kubernetes`. Default: `10.96.0.0/12,fd00:10:96::/112`.
   */
  readonly serviceClusterIpRange?: string | undefined;
  /** The range of node ports, both ends included. Default: `30000-32767`. */
  readonly serviceNodePortRange?: string | undefined;
  /** The node port of the service `kubernetes`; 0, the default, for none. */
  readonly kubernetesServiceNodePort?: number | undefined;
  /**
   * The address under which others in the cluster reach the server. Default: `bindAddress`, or if it is a loopback address
   * or none in particular, the first address of the host's network interfaces.
   */
  readonly advertiseAddress?: string | undefined;
  /** The host in URLs of this server, as in the discovery of OpenID Connect. Default: `advertiseAddress`, if it is set. */
  readonly externalHostname?: string | undefined;
  /** How the endpoints of the service `kubernetes` are kept: `lease` (the default), `master-count`, or `none`. */
  readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined;
  /** The most addresses that `master-count` keeps. Default: 1. */
  readonly apiserverCount?: number | undefined;
}
