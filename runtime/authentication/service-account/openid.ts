import type { ServiceAccountKey } from './key.ts';

export const openIdConfigurationPath = '/.well-known/openid-configuration';
export const openIdKeysPath = '/openid/v1/jwks';

/** The issuer's OpenID Connect discovery document. (pkg/serviceaccount/openidmetadata.go) */
export function openIdConfiguration(issuer: string, keysUri: string, { algorithm }: ServiceAccountKey): object {
  return {
    issuer,
    jwks_uri: keysUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
  };
}

/** The JSON Web Key Set that verifies tokens. */
export function openIdKeys({ publicKey, algorithm, id }: ServiceAccountKey): object {
  const { kty, ...parameters } = publicKey.export({ format: 'jwk' });
  return { keys: [{ use: 'sig', kty, kid: id, alg: algorithm, ...parameters }] };
}
