import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { mapMaybeAsync } from '../../machinery/event-loop/map-maybe-async.ts';
import { quote } from '../../machinery/go/quote.ts';
import { AuthenticationError, isAuthenticationError } from '../authenticator.ts';
import { aggregate, type TokenAuthenticator, type TokenResult } from '../token/token.ts';
import { claimedIssuer } from './claims.ts';
import type { PublicKey } from './key.ts';
import type { PublicClaims, Validator } from './validator.ts';
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.ts';

export interface JWTTokenAuthenticatorOptions<Claims extends PublicClaims> {
  readonly issuers: readonly string[];
  /** The server's audiences, which tokens without audiences have. */
  readonly audiences: readonly string[];
  readonly keys: () => Promise<readonly PublicKey[]>;
  readonly validator: Validator<Claims>;
  readonly clock: Pick<Clock, 'now'>;
}

const maxVerifiedTokens = 8192;

/**
 * Authenticates service account tokens of the issuers. Returns undefined for all other tokens. A signature is verified
 * once; changeable facts are checked for each request. (pkg/serviceaccount/jwt.go JWTTokenAuthenticator)
 */
export class JWTTokenAuthenticator<Claims extends PublicClaims> implements TokenAuthenticator {
  readonly #options: JWTTokenAuthenticatorOptions<Claims>;
  readonly #verified = new VerifiedTokens<Claims>(maxVerifiedTokens);

  constructor(options: JWTTokenAuthenticatorOptions<Claims>) {
    this.#options = options;
  }

  authenticateToken(token: string, audiences: readonly string[]): TokenResult | Promise<TokenResult> {
    const key = this.#verified.keyOf(token);
    const verified = this.#verified.get(key);
    if (verified !== undefined) return this.#validate(key, verified, audiences);
    const issuer = claimedIssuer(token);
    if (issuer === undefined || !this.#options.issuers.includes(issuer)) return undefined;
    return this.#verify(token, issuer).then((fresh) => {
      this.#verified.add(key, fresh);
      return this.#validate(key, fresh, audiences);
    });
  }

  #validate(key: string, { claims, user }: VerifiedToken<Claims>, requested: readonly string[]): TokenResult | Promise<TokenResult> {
    const { audiences: own, validator, clock } = this.#options;
    const wanted = requested.length === 0 ? own : requested;
    const tokenAudiences = claims.aud.length === 0 ? own : claims.aud;
    const accepted = tokenAudiences.filter((audience) => wanted.includes(audience));
    if (accepted.length === 0 && own.length > 0) {
      throw new AuthenticationError(`token audiences ${quoteAll(tokenAudiences)} is invalid for the target audiences ${quoteAll(wanted)}`);
    }
    const audiences = requested.length === 0 ? [] : accepted;
    try {
      return mapMaybeAsync(validator.validate(claims, clock.now()), (warnings) => ({
        user,
        audiences,
        ...(warnings && { warnings }),
      }));
    } catch (error) {
      this.#verified.delete(key);
      throw error;
    }
  }

  async #verify(token: string, issuer: string): Promise<VerifiedToken<Claims>> {
    const { validator } = this.#options;
    const payload = await this.#verifySignature(token);
    const claims = validator.parse(payload, token);
    if (claims === undefined || claims.iss !== issuer) {
      throw new AuthenticationError('service account token claims could not be validated');
    }
    return { claims, user: validator.userOf(claims) };
  }

  /** Tries the keys with the token's id, or all keys if it has none. Returns the payload. */
  async #verifySignature(token: string): Promise<string> {
    const [keys, { compactVerify }, { decodeProtectedHeader }] = await Promise.all([
      this.#options.keys(),
      import('jose/jws/compact/verify'),
      import('jose/decode/protected_header'),
    ]);
    const errors: AuthenticationError[] = [];
    const kid = kidOf(() => decodeProtectedHeader(token).kid);
    for (const { id, publicKey, algorithm } of keys) {
      if (kid !== undefined && kid !== id) continue;
      try {
        const { payload } = await compactVerify(token, publicKey, { algorithms: [algorithm] });
        return Buffer.from(payload).toString();
      } catch (error) {
        errors.push(new AuthenticationError(`service account token: ${messageOf(error)}`));
      }
    }
    throw errors.length > 0 ? aggregate(errors) : new AuthenticationError('invalid signature, no keys found');
  }
}

function kidOf(read: () => unknown): string | undefined {
  try {
    const kid = read();
    return typeof kid === 'string' && kid !== '' ? kid : undefined;
  } catch (error) {
    throw isAuthenticationError(error) ? error : new AuthenticationError('service account token: invalid header');
  }
}

/** Formats a list as Go's %q. */
const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
