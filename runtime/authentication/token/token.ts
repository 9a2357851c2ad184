import { mapMaybeAsync } from '../../machinery/event-loop/map-maybe-async.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { AuthenticationError, isAuthenticationError } from '../authenticator.ts';

/** Authenticates one kind of token. (apiserver authenticator.Token) */
export interface TokenAuthenticator {
  /**
   * Authenticates a token for one of `audiences`, or for any if the list is empty. Returns undefined for tokens of
   * other kinds.
   *
   * @throws AuthenticationError for invalid tokens
   */
  authenticateToken(token: string, audiences: readonly string[]): TokenResult | Promise<TokenResult>;
}

export interface TokenAuthenticatorResponse {
  readonly user: UserInfo;
  /** The requested audiences that the token has. */
  readonly audiences: readonly string[];
  /** Warnings for the client. */
  readonly warnings?: readonly string[];
}

export type TokenResult = TokenAuthenticatorResponse | undefined;

/** Tries each authenticator in turn. If none succeeds, throws the errors together. (authentication/token/union) */
export function unionTokenAuthenticator(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  const [only, ...others] = authenticators;
  if (only && others.length === 0) return only;
  const tryFrom = (
    start: number,
    token: string,
    audiences: readonly string[],
    errors: AuthenticationError[],
  ): TokenResult | Promise<TokenResult> => {
    for (let at = start, authenticator = authenticators[at]; authenticator !== undefined; at++, authenticator = authenticators[at]) {
      try {
        const result = authenticator.authenticateToken(token, audiences);
        if (result instanceof Promise) {
          return result.then(
            (response) => response ?? tryFrom(at + 1, token, audiences, errors),
            (error) => {
              collect(errors, error);
              return tryFrom(at + 1, token, audiences, errors);
            },
          );
        }
        if (result !== undefined) return result;
      } catch (error) {
        collect(errors, error);
      }
    }
    if (errors.length > 0) throw aggregate(errors);
    return undefined;
  };
  return { authenticateToken: (token, audiences) => tryFrom(0, token, audiences, []) };
}

function collect(errors: AuthenticationError[], error: unknown): void {
  if (!isAuthenticationError(error)) throw error;
  errors.push(error);
}

/**
 * Returns a single error unchanged, and several errors as one with all messages. (apimachinery util/errors
 * NewAggregate)
 */
export function aggregate(errors: readonly AuthenticationError[]): AuthenticationError {
  const [first] = errors;
  const messages = [...new Set(errors.map(({ message }) => message))];
  return first && messages.length === 1 ? first : new AuthenticationError(`[${messages.join(', ')}]`);
}

/** Makes tokens without audiences valid for this server's audiences. (apiserver authenticator/audagnostic.go) */
export function audienceAgnostic(
  apiAudiences: readonly string[],
  authenticate: (token: string) => UserInfo | undefined | Promise<UserInfo | undefined>,
): TokenAuthenticator {
  return {
    authenticateToken(token, audiences) {
      const common = apiAudiences.filter((audience) => audiences.includes(audience));
      if (audiences.length > 0 && common.length === 0) return undefined;
      return mapMaybeAsync(authenticate(token), (user) => user && { user, audiences: common });
    },
  };
}
