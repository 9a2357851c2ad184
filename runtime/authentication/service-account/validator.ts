import type { UserInfo } from '../../machinery/user-info.ts';

/** The tolerated clock skew in milliseconds. (go-jose jwt.DefaultLeeway) */
export const leeway = 60_000;

/** What every kind of service account token says. */
export interface PublicClaims {
  readonly iss: string;
  /** Empty for tokens that are for the server's own audiences. */
  readonly aud: readonly string[];
}

/** Knows the claims of one kind of service account token. (pkg/serviceaccount/jwt.go Validator) */
export interface Validator<Claims extends PublicClaims> {
  /** Parses the payload of a verified token. Returns undefined if it lacks claims. @throws AuthenticationError */
  parse(payload: string, token: string): Claims | undefined;
  userOf(claims: Claims): UserInfo;
  /**
   * Checks what can change while the server runs. Called for each request with the token.
   *
   * @param now milliseconds since the epoch
   * @returns warnings for the client
   * @throws AuthenticationError
   */
  validate(claims: Claims, now: number): readonly string[] | void | Promise<readonly string[] | void>;
}
