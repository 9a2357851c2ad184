/** How a server finds out who makes a request. (kube-apiserver: pkg/kubeapiserver/options/authentication.go) */
export interface AuthenticationOptions {
  /** PEM file of CAs for client certificates, in addition to the server's own. */
  readonly clientCaFile?: string | undefined;
  /** PEM file of CAs for the certificates of front proxies, which say in headers whose request they pass on. Default: none. */
  readonly requestHeaderClientCaFile?: string | undefined;
  /** Common names that the certificates of front proxies may have. Default: any. */
  readonly requestHeaderAllowedNames?: readonly string[] | undefined;
  /** The headers with which front proxies name users, their uids and groups, and the prefixes of those for extra. */
  readonly requestHeaderUsernameHeaders?: readonly string[] | undefined;
  readonly requestHeaderUidHeaders?: readonly string[] | undefined;
  readonly requestHeaderGroupHeaders?: readonly string[] | undefined;
  readonly requestHeaderExtraHeadersPrefix?: readonly string[] | undefined;
  /** Whether Secrets of type bootstrap.kubernetes.io/token in kube-system are tokens. Default: false. */
  readonly enableBootstrapTokenAuth?: boolean | undefined;
  /** CSV file of static tokens. Default: none. */
  readonly tokenAuthFile?: string | undefined;
  /**
   * Whether requests without credentials are served as system:anonymous. Default: true. Without an `authorizer`, which could
   * restrict them, they can only get health (/healthz, /livez, /readyz) and /version; everything else is a 401.
   */
  readonly anonymousAuth?: boolean | undefined;
  /** PEM file of the key that signs tokens of service accounts. Default: sa.key in `certDir`, which is created. */
  readonly serviceAccountSigningKeyFile?: string | undefined;
  /** PEM files of further keys that tokens of service accounts may be signed with. */
  readonly serviceAccountKeyFiles?: readonly string[] | undefined;
  /** The issuers whose tokens are accepted; the first signs. Default: https://kubernetes.default.svc.cluster.local. */
  readonly serviceAccountIssuers?: readonly string[] | undefined;
  /** The audiences of this server, one of which tokens must be for. Default: `serviceAccountIssuers`. */
  readonly apiAudiences?: readonly string[] | undefined;
  /** The address of the JSON Web Key Set in the discovery document. Default: that of this server. */
  readonly serviceAccountJwksUri?: string | undefined;
  /** The longest validity of a token in milliseconds, at least an hour; 0 for no limit. Default: 0. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined;
  /** Whether tokens that the kubelet asks for are valid for a year, with a warning after an hour. Default: true. */
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
  /** Whether Secrets with tokens, and their service accounts, must exist. Default: true. */
  readonly serviceAccountLookup?: boolean | undefined;
  /** Kubeconfig file of a webhook that knows the users of tokens. Default: none. */
  readonly authenticationTokenWebhookConfigFile?: string | undefined;
  /** The version of TokenReview to send to it. Default: v1beta1. */
  readonly authenticationTokenWebhookVersion?: string | undefined;
  /** Milliseconds for which its answers, or those of a delegate, are remembered. Default: 120,000, or 10,000. */
  readonly authenticationTokenWebhookCacheTtl?: number | undefined;
  /** File with an AuthenticationConfiguration: issuers of tokens, and who may be anonymous. Read again when it changes. */
  readonly authenticationConfig?: string | undefined;
  /** An OpenID Connect issuer, whose ID tokens for `oidcClientId` are accepted. Default: none. */
  readonly oidcIssuerUrl?: string | undefined;
  readonly oidcClientId?: string | undefined;
  /** The claim that names users. Default: sub. */
  readonly oidcUsernameClaim?: string | undefined;
  /** What user names begin with; `-` for nothing. Default: the issuer and #, except for the claim email. */
  readonly oidcUsernamePrefix?: string | undefined;
  /** The claim with the groups of users. Default: users have none. */
  readonly oidcGroupsClaim?: string | undefined;
  /** What names of groups begin with. Default: nothing. */
  readonly oidcGroupsPrefix?: string | undefined;
  /** PEM file of the CAs of the issuer. Default: the system's. */
  readonly oidcCaFile?: string | undefined;
  /** Claims that tokens must have, as `name=value`. */
  readonly oidcRequiredClaims?: readonly string[] | undefined;
  /** The algorithms that the issuer may sign with. Default: RS256. */
  readonly oidcSigningAlgs?: readonly string[] | undefined;
}
