/** What the server tells browsers and clients behind load balancers. (kube-apiserver: pkg/server/options/server_run_options.go) */
export interface ServerRunOptions {
  /** Regular expressions of the origins whose pages may use the API. Default: none. */
  readonly corsAllowedOrigins?: readonly string[] | undefined;
  /** For the header Strict-Transport-Security: `max-age=31536000`, `includeSubDomains`, `preload`. Default: no header. */
  readonly strictTransportSecurityDirectives?: readonly string[] | undefined;
  /** The part of HTTP/2 requests whose connection is ended by GOAWAY, up to 0.02. Default: 0. */
  readonly goawayChance?: number | undefined;
  /** Whether requests that come while the server drains get a 429 with Retry-After. Default: false, connections are refused. */
  readonly shutdownSendRetryAfter?: boolean | undefined;
}
