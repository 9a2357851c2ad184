import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { UserInfo } from '../../../machinery/user-info.ts';
import { AuthenticationError, isAuthenticationError } from '../../authenticator.ts';
import type { JWTAuthenticator } from '../../configuration/authentication-configuration.ts';
import type { ClaimsMapper } from '../../configuration/validation.ts';
import { claimedIssuer } from '../../service-account/claims.ts';
import { type Claims, userOfClaims } from './claims.ts';
import type { OidcProvider, ProviderKey } from './provider.ts';

/** The algorithms with which issuers may sign. (oidc.AllValidSigningAlgorithms) */
export const signingAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'];

/** Milliseconds by which the clock of an issuer may be ahead. (go-oidc) */
const notBeforeLeeway = 5 * 60_000;

export interface OidcOptions {
  readonly authenticator: JWTAuthenticator;
  readonly mapper: ClaimsMapper;
  readonly provider: Pick<OidcProvider, 'isInitialized' | 'keysFor' | 'refresh'>;
  /** Names of JWS algorithms. */
  readonly algorithms: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Authenticates ID tokens of one OpenID Connect issuer. Returns undefined for tokens of other issuers.
 * (apiserver plugin/pkg/authenticator/token/oidc)
 */
export function oidcAuthenticator(options: OidcOptions): (token: string) => Promise<UserInfo | undefined> | undefined {
  const { url = '', audiences = [] } = options.authenticator.issuer ?? {};
  return (token) => {
    const issuer = claimedIssuer(token);
    return issuer === url || `https://${issuer}` === googleIssuer(url) ? authenticate(token) : undefined;
  };

  async function authenticate(token: string): Promise<UserInfo> {
    if (!(await options.provider.isInitialized())) throw new AuthenticationError('oidc: authenticator not initialized');
    const claims = await verify(token);
    try {
      return userOfClaims(claims, options.authenticator, options.mapper);
    } catch (error) {
      // thrown by expressions for deeply nested input
      if (error instanceof RangeError) throw new AuthenticationError(`oidc: ${error.message}`);
      throw error;
    }
  }

  async function verify(token: string): Promise<Claims> {
    const claims = parseClaims(await verifySignature(token));
    const { aud, exp, nbf } = claims;
    const given = Array.isArray(aud) ? aud : [aud];
    if (!given.some((audience) => audiences.includes(audience as string))) {
      throw verifyError(`expected audience in ${quoteAll(audiences)} got ${quoteAll(given.map(String))}`);
    }
    const now = options.clock.now();
    if (typeof exp !== 'number' || now > exp * 1000) throw verifyError('token is expired');
    if (nbf !== undefined && (typeof nbf !== 'number' || now + notBeforeLeeway < nbf * 1000)) {
      throw verifyError('current time before the nbf (not before) time');
    }
    return claims;
  }

  /** Tries the cached keys, then the issuer's current keys. Returns the payload. */
  async function verifySignature(token: string): Promise<string> {
    const { decodeProtectedHeader } = await import('jose/decode/protected_header');
    let kid: string | undefined;
    try {
      const header = decodeProtectedHeader(token);
      if (!options.algorithms.includes(String(header.alg))) {
        throw verifyError(`unexpected signature algorithm ${quote(String(header.alg))}; expected ${quoteAll(options.algorithms)}`);
      }
      kid = typeof header.kid === 'string' && header.kid !== '' ? header.kid : undefined;
    } catch (error) {
      throw isAuthenticationError(error) ? error : verifyError(`malformed jwt: ${messageOf(error)}`);
    }
    const known = await tryKeys(token, options.provider.keysFor(kid));
    if (known !== undefined) return known;
    let isNew: boolean;
    try {
      isNew = await options.provider.refresh();
    } catch (error) {
      throw verifyError(`failed to verify signature: fetching keys ${messageOf(error)}`);
    }
    const payload = isNew ? await tryKeys(token, options.provider.keysFor(kid)) : undefined;
    if (payload === undefined) throw verifyError('failed to verify signature: failed to verify id token signature');
    return payload;
  }

  async function tryKeys(token: string, keys: readonly ProviderKey[]): Promise<string | undefined> {
    const { compactVerify } = await import('jose/jws/compact/verify');
    for (const { publicKey } of keys) {
      try {
        const { payload } = await compactVerify(token, publicKey, { algorithms: [...options.algorithms] });
        return Buffer.from(payload).toString();
      } catch {
        // another key may have signed the token
      }
    }
    return undefined;
  }
}

/** Google's tokens may omit the issuer's scheme. */
const googleIssuer = (url: string): string => (url === 'https://accounts.google.com' ? url : '');

const verifyError = (reason: string): AuthenticationError => new AuthenticationError(`oidc: verify token: oidc: ${reason}`);

function parseClaims(payload: string): Claims {
  const value: unknown = JSON.parse(payload);
  if (isJsonObject(value)) return value as Claims;
  throw new AuthenticationError('oidc: parse claims: no object');
}

const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
