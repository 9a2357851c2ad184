import type { PublicKey } from './key.ts';

export const openIdConfigurationPath = '/.well-known/openid-configuration';
export const openIdKeysPath = '/openid/v1/jwks';

/** Returns why an issuer cannot have discovery documents; undefined if it can. (NewOpenIDMetadataProvider) */
export function discoveryIssuerError(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return `issuer URL must use https scheme, got: ${issuer}`;
  const { protocol, search, hash } = new URL(issuer);
  if (protocol !== 'https:') return `issuer URL must use https scheme, got: ${issuer}`;
  if (search !== '') return `issuer URL may not include a query, got: ${issuer}`;
  return hash === '' ? undefined : `issuer URL may not include a fragment, got: ${issuer}`;
}

/** Returns the issuer's OpenID Connect discovery document. (pkg/serviceaccount/openidmetadata.go) */
export function openIdConfiguration(issuer: string, keysUri: string, keys: readonly PublicKey[]): object {
  return {
    issuer,
    jwks_uri: keysUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
  };
}

/** Returns the JSON Web Key Set that verifies tokens. */
export const openIdKeys = (keys: readonly PublicKey[]): object => ({
  keys: keys.map(({ publicKey, algorithm, id }) => {
    const { kty, ...parameters } = publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: id, alg: algorithm, ...parameters };
  }),
});
