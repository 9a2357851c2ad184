import type { UserInfo } from '../../machinery/user-info.ts';

/** The tolerated clock skew in milliseconds. (go-jose jwt.DefaultLeeway) */
export const leeway = 60_000;

/** The claims of every kind of service account token. */
export interface PublicClaims {
  readonly iss: string;
  /** The audiences. Empty for the server's own. */
  readonly aud: readonly string[];
}

/** Parses and validates one kind of service account token. (pkg/serviceaccount/jwt.go Validator) */
export interface Validator<Claims extends PublicClaims> {
  /** Parses the payload of a verified token. Returns undefined if it lacks claims. @throws AuthenticationError */
  parse(payload: string, token: string): Claims | undefined;
  userOf(claims: Claims): UserInfo;
  /**
   * Checks facts that can change while the server runs. Called for each request with the token.
   *
   * @param now milliseconds since the epoch
   * @returns warnings for the client
   * @throws AuthenticationError
   */
  validate(claims: Claims, now: number): readonly string[] | void | Promise<readonly string[] | void>;
}
