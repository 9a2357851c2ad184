/** How requests for the groups of other servers are passed on. (kube-apiserver: cmd/kube-apiserver/app/options) */
export interface AggregatorOptions {
  /**
   * PEM files of the client certificate with which the server shows other servers that it may say whose requests it passes
   * on, and of its key. Read again when they change. Default: none.
   */
  readonly proxyClientCertFile?: string | undefined;
  readonly proxyClientKeyFile?: string | undefined;
  /** Whether requests go to an endpoint of the service, rather than to its cluster IP. Default: false. */
  readonly enableAggregatorRouting?: boolean | undefined;
  /** Whether responses of other servers that redirect become a 502. Default: true. */
  readonly aggregatorRejectForwardingRedirect?: boolean | undefined;
}
