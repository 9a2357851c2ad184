import type { Clock } from '../../machinery/clock.ts';
import { AuthenticationError, isAuthenticationError } from '../authenticator.ts';
import type { TokenAuthenticator, TokenResult } from '../token/token.ts';
import { claimedIssuer, parseClaims, serviceAccountUser, type TokenClaims } from './claims.ts';
import { type ServiceAccountTokenGetter, validateBoundObjects } from './claims-validator.ts';
import type { ServiceAccountKey } from './key.ts';
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.ts';

export interface JWTTokenAuthenticatorOptions {
  readonly issuer: string;
  readonly key: () => Promise<ServiceAccountKey>;
  readonly get: ServiceAccountTokenGetter;
  readonly clock: Clock;
}

/** The tolerated clock skew in milliseconds. (go-jose jwt.DefaultLeeway) */
const leeway = 60_000;
const maxVerifiedTokens = 8192;

/**
 * Authenticates service account tokens. Returns undefined for tokens of other issuers. Refuses forged and expired tokens,
 * tokens for other audiences, and tokens whose service account or bound object is gone.
 * (pkg/serviceaccount/jwt.go JWTTokenAuthenticator, claims.go)
 */
export class JWTTokenAuthenticator implements TokenAuthenticator {
  readonly #options: JWTTokenAuthenticatorOptions;
  readonly #verified = new VerifiedTokens(maxVerifiedTokens);

  constructor(options: JWTTokenAuthenticatorOptions) {
    this.#options = options;
  }

  async authenticateToken(token: string, audiences: readonly string[]): Promise<TokenResult> {
    const { issuer, get, clock } = this.#options;
    let verified = this.#verified.get(token);
    if (verified === undefined) {
      if (claimedIssuer(token) !== issuer) return undefined;
      verified = await this.#verify(token);
      this.#verified.add(token, verified);
    }
    const { claims, user } = verified;
    const accepted = claims.aud.filter((audience) => audiences.includes(audience));
    if (audiences.length > 0 && accepted.length === 0) {
      throw new AuthenticationError(
        `token audiences ${quoteAll(claims.aud)} is invalid for the target audiences ${quoteAll(audiences)}`,
      );
    }
    const now = clock.now();
    try {
      checkTimes(claims, now);
    } catch (error) {
      this.#verified.delete(token);
      throw error;
    }
    await validateBoundObjects(claims, get, now - leeway);
    return { user, audiences: accepted };
  }

  async #verify(token: string): Promise<VerifiedToken> {
    const [key, { compactVerify }] = await Promise.all([this.#options.key(), import('jose/jws/compact/verify')]);
    let payload: string;
    try {
      const verified = await compactVerify(
        token,
        ({ kid }) => {
          if (kid !== undefined && kid !== key.id) throw new AuthenticationError('invalid signature, no keys found');
          return key.publicKey;
        },
        { algorithms: [key.algorithm] },
      );
      payload = Buffer.from(verified.payload).toString();
    } catch (error) {
      if (isAuthenticationError(error)) throw error;
      throw new AuthenticationError(`service account token: ${(error as Error).message}`);
    }
    const claims = parseClaims(payload);
    if (claims === undefined || claims.iss !== this.#options.issuer) {
      throw new AuthenticationError('service account token claims could not be validated');
    }
    return { claims, user: serviceAccountUser(claims) };
  }
}

function checkTimes({ exp, iat, nbf }: TokenClaims, now: number): void {
  if (now + leeway < nbf * 1000) throw new AuthenticationError('service account token is not valid yet');
  if (now - leeway > exp * 1000) throw new AuthenticationError('service account token has expired');
  if (now + leeway < iat * 1000) throw new AuthenticationError('service account token is issued in the future');
}

/** Formats a list as Go's %q. */
const quoteAll = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
