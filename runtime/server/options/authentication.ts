/** How a server finds out who makes a request. (kube-apiserver: pkg/kubeapiserver/options/authentication.go) */
export interface AuthenticationOptions {
  /** PEM file of CAs for client certificates, in addition to the server's own. */
  readonly clientCaFile?: string;
  /** CSV file of static tokens. Default: none. */
  readonly tokenAuthFile?: string;
  /**
   * Whether requests without credentials are served as system:anonymous. Default: true. Without an `authorizer`, which could
   * restrict them, they can only get health (/healthz, /livez, /readyz) and /version; everything else is a 401.
   */
  readonly anonymousAuth?: boolean;
}
