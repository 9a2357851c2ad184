import type { Clock } from '../../machinery/clock.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { AuthenticationError, isAuthenticationError } from '../authenticator.ts';
import type { AcceptedToken, TokenVerifier } from '../bearer-token.ts';
import { claimedIssuer, parseClaims, type TokenClaims, userOf } from './claims.ts';
import { checkExistence, type FindObject } from './existence.ts';
import type { ServiceAccountKey } from './key.ts';
import { type ProvenToken, ProvenTokens } from './proven-tokens.ts';

export interface VerifierOptions {
  readonly issuer: string;
  /** Of the server: a token for none of them does not let in. */
  readonly audiences: readonly string[];
  readonly key: () => Promise<ServiceAccountKey>;
  readonly find: FindObject;
  readonly clock: Clock;
}

/** Clocks may differ by this many milliseconds. (go-jose jwt.DefaultLeeway) */
const leeway = 60_000;
const provenLimit = 8192;

/**
 * Knows tokens of service accounts: undefined for those of other issuers; throws AuthenticationError for forged, expired
 * and foreign ones, and when what they are bound to is gone. (pkg/serviceaccount/{jwt,claims}.go)
 */
export class ServiceAccountVerifier implements TokenVerifier {
  readonly #options: VerifierOptions;
  readonly #proven = new ProvenTokens(provenLimit);

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  async verify(token: string): Promise<UserInfo | undefined> {
    return (await this.verifyFor(token, this.#options.audiences))?.user;
  }

  async verifyFor(token: string, audiences: readonly string[]): Promise<AcceptedToken | undefined> {
    const { issuer, find, clock } = this.#options;
    let proven = this.#proven.get(token);
    if (proven === undefined) {
      if (claimedIssuer(token) !== issuer) return undefined;
      proven = await this.#prove(token);
      this.#proven.add(token, proven);
    }
    const { claims, user } = proven;
    const accepted = claims.aud.filter((audience) => audiences.includes(audience));
    if (accepted.length === 0) {
      throw new AuthenticationError(
        `token audiences ${quoteAll(claims.aud)} is invalid for the target audiences ${quoteAll(audiences)}`,
      );
    }
    const now = clock.now();
    try {
      checkTimes(claims, now);
    } catch (error) {
      this.#proven.forget(token);
      throw error;
    }
    await checkExistence(claims, find, now - leeway);
    return { user, audiences: accepted };
  }

  async #prove(token: string): Promise<ProvenToken> {
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
    return { claims, user: userOf(claims) };
  }
}

function checkTimes({ exp, iat, nbf }: TokenClaims, now: number): void {
  if (now + leeway < nbf * 1000) throw new AuthenticationError('service account token is not valid yet');
  if (now - leeway > exp * 1000) throw new AuthenticationError('service account token has expired');
  if (now + leeway < iat * 1000) throw new AuthenticationError('service account token is issued in the future');
}

/** A list as Go's %q shows it. */
const quoteAll = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
