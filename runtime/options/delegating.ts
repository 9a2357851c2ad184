/**
 * How an aggregated server leaves it to the server that it stands behind, its delegate, who users are and what they may do.
 * Either kubeconfig makes it one. Where the other is not set, it is that of the pod.
 * (apiserver: pkg/server/options/authentication.go, authorization.go, coreapi.go)
 */
export interface DelegatingOptions {
  /**
   * Kubeconfig file for TokenReviews, and for the ConfigMap with the CAs of clients and front proxies; "" for the pod's
   * service account. Default: this server decides by itself.
   */
  readonly authenticationKubeconfig?: string | undefined;
  /** Whether CAs that are not set are not looked up at the delegate. Default: false. */
  readonly authenticationSkipLookup?: boolean | undefined;
  /** Whether the server starts if they cannot be looked up. Default: false. */
  readonly authenticationTolerateLookupFailure?: boolean | undefined;
  /** Kubeconfig file for SubjectAccessReviews; "" for the pod's service account. Default: this server decides by itself. */
  readonly authorizationKubeconfig?: string | undefined;
  /** Paths that everybody may request; `*` at the end for all that begin so. Default: /healthz, /readyz, /livez. */
  readonly authorizationAlwaysAllowPaths?: readonly string[] | undefined;
  /** Kubeconfig file for other objects of the delegate: its namespaces. Default: the pod's service account. */
  readonly kubeconfig?: string | undefined;
}
