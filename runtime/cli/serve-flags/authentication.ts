import { boolean, commaSeparated, duration, durationIfSet, file, list, oneOf, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-apiserver: pkg/kubeapiserver/options/authentication.go) */
export const authenticationFlags: readonly ServeFlag[] = [
  {
    name: 'anonymous-auth',
    option: 'anonymousAuth',
    value: boolean(true),
    about:
      'Serve requests without credentials as system:anonymous, but only for /healthz, /livez, /readyz and /version, ' +
      'since every authenticated user is allowed everything. false: reject all of them.',
  },
  {
    name: 'authentication-config',
    option: 'authenticationConfig',
    value: file(),
    about: 'AuthenticationConfiguration: issuers of tokens, and who may be anonymous. Read again when it changes.',
  },
  {
    name: 'authentication-token-webhook-config-file',
    option: 'authenticationTokenWebhookConfigFile',
    value: file(),
    about: 'Kubeconfig of a webhook that is asked with TokenReviews who the user of a token is.',
  },
  {
    name: 'authentication-token-webhook-version',
    option: 'authenticationTokenWebhookVersion',
    value: oneOf(['v1', 'v1beta1'], 'v1beta1'),
    about: 'The version of TokenReview to send to the webhook.',
  },
  {
    name: 'authentication-token-webhook-cache-ttl',
    option: 'authenticationTokenWebhookCacheTtl',
    value: durationIfSet(),
    about: 'How long answers to TokenReviews are remembered. Default: 2m, 10s with --authentication-kubeconfig.',
  },
  {
    name: 'client-ca-file',
    option: 'clientCaFile',
    value: file(),
    about: 'PEM file of CAs for client certificates, in addition to the CA in --cert-dir. Read again when it changes.',
  },
  {
    name: 'oidc-issuer-url',
    option: 'oidcIssuerUrl',
    value: text('URL'),
    about: 'OpenID Connect issuer, whose ID tokens for --oidc-client-id are accepted.',
  },
  {
    name: 'oidc-client-id',
    option: 'oidcClientId',
    value: text('ID'),
    about: 'The audience that tokens of the issuer must be for.',
  },
  {
    name: 'oidc-username-claim',
    option: 'oidcUsernameClaim',
    value: text('CLAIM', 'sub'),
    about: 'The claim that names users.',
  },
  {
    name: 'oidc-username-prefix',
    option: 'oidcUsernamePrefix',
    value: text('PREFIX'),
    about: 'What user names begin with; - for nothing. Default: the issuer and #, except for the claim email.',
  },
  {
    name: 'oidc-groups-claim',
    option: 'oidcGroupsClaim',
    value: text('CLAIM'),
    about: 'The claim with the groups of users.',
  },
  {
    name: 'oidc-groups-prefix',
    option: 'oidcGroupsPrefix',
    value: text('PREFIX'),
    about: 'What names of groups begin with.',
  },
  {
    name: 'oidc-ca-file',
    option: 'oidcCaFile',
    value: file(),
    about: "PEM file of the CAs of the issuer. Default: the system's.",
  },
  {
    name: 'oidc-required-claim',
    option: 'oidcRequiredClaims',
    value: list('NAME=VALUE'),
    about: 'A claim that tokens must have. May be repeated.',
  },
  {
    name: 'oidc-signing-algs',
    option: 'oidcSigningAlgs',
    value: commaSeparated('ALGORITHMS'),
    about: 'The algorithms that the issuer may sign with. Default: RS256.',
  },
  {
    name: 'enable-bootstrap-token-auth',
    option: 'enableBootstrapTokenAuth',
    value: boolean(false),
    about: 'Accept the tokens of Secrets of type bootstrap.kubernetes.io/token in kube-system.',
  },
  {
    name: 'requestheader-client-ca-file',
    option: 'requestHeaderClientCaFile',
    value: file(),
    about: 'PEM file of CAs for the certificates of front proxies, whose headers for users are believed.',
  },
  {
    name: 'requestheader-allowed-names',
    option: 'requestHeaderAllowedNames',
    value: commaSeparated('NAMES'),
    about: 'Common names that the certificates of front proxies may have. Default: any.',
  },
  {
    name: 'requestheader-username-headers',
    option: 'requestHeaderUsernameHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the name of the user, as X-Remote-User.',
  },
  {
    name: 'requestheader-uid-headers',
    option: 'requestHeaderUidHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the uid of the user, as X-Remote-Uid.',
  },
  {
    name: 'requestheader-group-headers',
    option: 'requestHeaderGroupHeaders',
    value: commaSeparated('NAMES'),
    about: 'Headers for the groups of the user, as X-Remote-Group.',
  },
  {
    name: 'requestheader-extra-headers-prefix',
    option: 'requestHeaderExtraHeadersPrefix',
    value: commaSeparated('PREFIXES'),
    about: 'Prefixes of the headers for extra of the user, as X-Remote-Extra-.',
  },
  {
    name: 'service-account-signing-key-file',
    option: 'serviceAccountSigningKeyFile',
    value: file(),
    about: 'PEM file of the key that signs tokens of service accounts. Default: sa.key in --cert-dir.',
  },
  {
    name: 'service-account-key-file',
    option: 'serviceAccountKeyFiles',
    value: list('FILE'),
    about: 'PEM file of further keys that tokens of service accounts may be signed with. May be repeated.',
  },
  {
    name: 'service-account-issuer',
    option: 'serviceAccountIssuers',
    value: list('ISSUER'),
    about: 'Issuer whose tokens of service accounts are accepted. May be repeated; the first signs.',
  },
  {
    name: 'api-audiences',
    option: 'apiAudiences',
    value: commaSeparated('AUDIENCES'),
    about: 'Audiences of this server, one of which tokens must be for. Default: the issuers.',
  },
  {
    name: 'service-account-jwks-uri',
    option: 'serviceAccountJwksUri',
    value: text('URL'),
    about: 'Address of the JSON Web Key Set in the discovery document. Default: that of this server.',
  },
  {
    name: 'service-account-max-token-expiration',
    option: 'serviceAccountMaxTokenExpiration',
    value: duration('0s'),
    about: 'The longest validity of a token of a service account, at least 1h. 0s: no limit.',
  },
  {
    name: 'service-account-extend-token-expiration',
    option: 'serviceAccountExtendTokenExpiration',
    value: boolean(true),
    about: 'Tokens that the kubelet asks for are valid for a year; clients should renew them after an hour.',
  },
  {
    name: 'service-account-lookup',
    option: 'serviceAccountLookup',
    value: boolean(true),
    about: 'Tokens in Secrets are valid only while the Secret and the service account exist.',
  },
  {
    name: 'token-auth-file',
    option: 'tokenAuthFile',
    value: file(),
    about: 'CSV file of static tokens: token,user,uid,"group1,group2".',
  },
];
