/** An OpenID Connect issuer that flags configure. (OIDCAuthenticationOptions) */
export interface OIDCOptions {
  readonly oidcIssuerUrl?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly oidcUsernameClaim?: string | undefined;
  readonly oidcUsernamePrefix?: string | undefined;
  readonly oidcGroupsClaim?: string | undefined;
  readonly oidcGroupsPrefix?: string | undefined;
  readonly oidcCaFile?: string | undefined;
  readonly oidcRequiredClaims?: readonly string[] | undefined;
  readonly oidcSigningAlgs?: readonly string[] | undefined;
}

export const defaultUsernameClaim = 'sub';

/** Reports whether any of the --oidc flags is set. (OIDCAuthenticationOptions.FlagsSet) */
export function hasOIDCFlags(options: OIDCOptions): boolean {
  const { oidcUsernameClaim = defaultUsernameClaim } = options;
  const { oidcIssuerUrl, oidcClientId, oidcUsernamePrefix, oidcGroupsClaim, oidcGroupsPrefix, oidcCaFile } = options;
  const texts = [oidcIssuerUrl, oidcClientId, oidcUsernamePrefix, oidcGroupsClaim, oidcGroupsPrefix, oidcCaFile];
  const lists = [options.oidcRequiredClaims, options.oidcSigningAlgs];
  return oidcUsernameClaim !== defaultUsernameClaim || texts.some(Boolean) || lists.some((list = []) => list.length > 0);
}
