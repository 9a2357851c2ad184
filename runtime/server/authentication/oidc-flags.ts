import type { ServerOptions } from '../../options/server-options.ts';

export const defaultUsernameClaim = 'sub';

/** Whether any of the --oidc flags is set. (OIDCAuthenticationOptions.FlagsSet) */
export function hasOIDCFlags(options: ServerOptions): boolean {
  const { oidcUsernameClaim = defaultUsernameClaim } = options;
  const { oidcIssuerUrl, oidcClientId, oidcUsernamePrefix, oidcGroupsClaim, oidcGroupsPrefix, oidcCaFile } = options;
  const texts = [oidcIssuerUrl, oidcClientId, oidcUsernamePrefix, oidcGroupsClaim, oidcGroupsPrefix, oidcCaFile];
  const lists = [options.oidcRequiredClaims, options.oidcSigningAlgs];
  return oidcUsernameClaim !== defaultUsernameClaim || texts.some(Boolean) || lists.some((list = []) => list.length > 0);
}
