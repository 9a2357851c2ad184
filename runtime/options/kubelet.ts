/**
 * How kubelets are reached, for exec, attach, portforward and log of pods, and the proxies of nodes. Without any of these,
 * they are not. (kube-apiserver: cmd/kube-apiserver/app/options)
 */
export interface KubeletOptions {
  /** PEM files of the client certificate for kubelets, and of its key. Read again when they change. Default: none. */
  readonly kubeletClientCertificate?: string | undefined;
  readonly kubeletClientKey?: string | undefined;
  /** PEM file of what signs the certificates of kubelets. Read again when it changes. Default: nobody verifies them. */
  readonly kubeletCertificateAuthority?: string | undefined;
  /**
   * The types of addresses of nodes, the best first. Default: `Hostname`, `InternalDNS`, `InternalIP`, `ExternalDNS`,
   * `ExternalIP`.
   */
  readonly kubeletPreferredAddressTypes?: readonly string[] | undefined;
  /** The port of kubelets whose nodes name none. Default: 10250. */
  readonly kubeletPort?: number | undefined;
  /** Milliseconds until a connection to a kubelet must be there. Default: 30,000. */
  readonly kubeletTimeout?: number | undefined;
}
