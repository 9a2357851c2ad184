import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { anonymousUserName, authenticatedGroup, type UserInfo, unauthenticatedGroup } from '../machinery/user-info.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;

/** Authenticates requests with one kind of credentials. (apiserver authenticator.Request) */
export interface Authenticator {
  /**
   * Returns undefined if the request has no such credentials.
   *
   * @throws AuthenticationError if the credentials are invalid
   */
  authenticate(request: AnyRequest, context?: AuthenticationContext): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** The parts of the request's state that authenticators use. */
export interface AuthenticationContext {
  /** Adds a warning to the response. */
  addWarnings(...texts: readonly string[]): void;
  readonly requestInfo: { readonly path: string };
}

/** Invalid credentials. The message is logged; the client only sees 401. */
export class AuthenticationError extends Error {
  readonly isAuthenticationError = true;
}

export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return typeof error === 'object' && error !== null && (error as AuthenticationError).isAuthenticationError === true;
}

/**
 * Tries each authenticator in turn, and adds the group system:authenticated to the first user found. If all fail,
 * throws the first error. (apiserver authentication/request/union; group AuthenticatedGroupAdder)
 */
export function unionAuthenticator(authenticators: readonly Authenticator[]): Authenticator {
  type Result = ReturnType<Authenticator['authenticate']>;
  const tryFrom = (start: number, request: AnyRequest, context: AuthenticationContext | undefined, firstError: unknown): Result => {
    let error = firstError;
    for (let at = start, authenticator = authenticators[at]; authenticator !== undefined; at++, authenticator = authenticators[at]) {
      let result: Result;
      try {
        result = authenticator.authenticate(request, context);
      } catch (thrown) {
        error = keepFirst(error, thrown);
        continue;
      }
      if (result instanceof Promise) {
        return result.then(
          (user) => (user ? withAuthenticatedGroup(user) : tryFrom(at + 1, request, context, error)),
          (thrown) => tryFrom(at + 1, request, context, keepFirst(error, thrown)),
        );
      }
      if (result) return withAuthenticatedGroup(result);
    }
    if (error !== undefined) throw error;
    return undefined;
  };
  return { authenticate: (request, context) => tryFrom(0, request, context, undefined) };
}

function keepFirst(first: unknown, error: unknown): unknown {
  if (!isAuthenticationError(error)) throw error;
  return first ?? error;
}

const authenticatedUsers = new WeakMap<UserInfo, UserInfo>();

function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return user;
  if (user.name === anonymousUserName) return user;
  let known = authenticatedUsers.get(user);
  if (!known) {
    known = { ...user, groups: [...user.groups, authenticatedGroup] };
    authenticatedUsers.set(user, known);
  }
  return known;
}
