import { type ConfigurationKind, listOf, struct } from '../../codec/configuration.ts';
import { bool, string } from '../../machinery/prune/values.ts';

/** The issuers of tokens, and the paths for anonymous users. (apiserver.config.k8s.io AuthenticationConfiguration) */
export interface AuthenticationConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly jwt?: readonly JWTAuthenticator[];
  readonly anonymous?: AnonymousAuthConfig | undefined;
}

export interface AnonymousAuthConfig {
  readonly enabled?: boolean;
  /** The allowed paths; empty for all. */
  readonly conditions?: readonly { readonly path?: string }[];
}

export interface JWTAuthenticator {
  readonly issuer?: Issuer;
  readonly claimValidationRules?: readonly ClaimValidationRule[];
  readonly claimMappings?: ClaimMappings;
  readonly userValidationRules?: readonly UserValidationRule[];
}

export interface Issuer {
  readonly url?: string;
  /** The URL of the discovery document. Default: the issuer's. */
  readonly discoveryURL?: string;
  /** PEM. Default: the system's CAs. */
  readonly certificateAuthority?: string | undefined;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

/** A claim with its required value, or an expression. */
export interface ClaimValidationRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface ClaimMappings {
  readonly username?: PrefixedClaimOrExpression;
  readonly groups?: PrefixedClaimOrExpression;
  readonly uid?: ClaimOrExpression;
  readonly extra?: readonly ExtraMapping[];
}

export interface ClaimOrExpression {
  readonly claim?: string;
  readonly expression?: string;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix?: string;
}

export interface ExtraMapping {
  readonly key?: string;
  readonly valueExpression?: string;
}

export interface UserValidationRule {
  readonly expression?: string;
  readonly message?: string;
}

const texts = listOf<string>('string', string);
const claimOrExpression = { claim: string, expression: string };
const prefixed = struct<PrefixedClaimOrExpression>('v1.PrefixedClaimOrExpression', {
  ...claimOrExpression,
  prefix: string,
});

const issuer = struct<Issuer>('v1.Issuer', {
  url: string,
  discoveryURL: string,
  certificateAuthority: string,
  audiences: texts,
  audienceMatchPolicy: string,
  egressSelectorType: string,
});

const claimValidationRule = struct<ClaimValidationRule>('v1.ClaimValidationRule', {
  claim: string,
  requiredValue: string,
  expression: string,
  message: string,
});

const claimMappings = struct<ClaimMappings>('v1.ClaimMappings', {
  username: prefixed,
  groups: prefixed,
  uid: struct<ClaimOrExpression>('v1.ClaimOrExpression', claimOrExpression),
  extra: listOf('v1.ExtraMapping', struct<ExtraMapping>('v1.ExtraMapping', { key: string, valueExpression: string })),
});

const jwtAuthenticator = struct<JWTAuthenticator>('v1.JWTAuthenticator', {
  issuer,
  claimMappings,
  claimValidationRules: listOf('v1.ClaimValidationRule', claimValidationRule),
  userValidationRules: listOf(
    'v1.UserValidationRule',
    struct<UserValidationRule>('v1.UserValidationRule', { expression: string, message: string }),
  ),
});

const anonymous = struct<AnonymousAuthConfig>('v1.AnonymousAuthConfig', {
  enabled: bool,
  conditions: listOf('v1.AnonymousAuthCondition', struct<{ readonly path?: string }>('v1.AnonymousAuthCondition', { path: string })),
});

const configuration = struct<AuthenticationConfiguration>('v1.AuthenticationConfiguration', {
  apiVersion: string,
  kind: string,
  anonymous,
  jwt: listOf('v1.JWTAuthenticator', jwtAuthenticator),
});

/** All versions have the same fields. */
export const authenticationConfigurationKind: ConfigurationKind<AuthenticationConfiguration> = {
  kind: 'AuthenticationConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1': configuration,
    'apiserver.config.k8s.io/v1beta1': configuration,
    'apiserver.config.k8s.io/v1alpha1': configuration,
  },
};
