import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { anonymousUserName, authenticatedGroup, type UserInfo, unauthenticatedGroup } from '../machinery/user-info.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;

/**
 * Tells who makes a request, by one kind of credentials. Undefined: the request has no such credentials.
 * Throws AuthenticationError when it has, and they are not good.
 */
export interface Authenticator {
  /** @param warn tells the client what it may want to know, whoever it is */
  authenticate(
    request: AnyRequest,
    warn?: (text: string) => void,
  ): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** Credentials that are not accepted. The client is told no more than 401; the message is for the log. */
export class AuthenticationError extends Error {
  readonly isAuthenticationError = true;
}

export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return typeof error === 'object' && error !== null && (error as AuthenticationError).isAuthenticationError === true;
}

/**
 * Asks each in turn; the first that knows the user decides, who joins system:authenticated. When none does, and one of
 * them refused, so does this. (apiserver authentication/request/union and group)
 */
export function firstOf(authenticators: readonly Authenticator[]): Authenticator {
  return {
    async authenticate(request, warn) {
      let refusal: unknown;
      for (const authenticator of authenticators) {
        try {
          const found = authenticator.authenticate(request, warn);
          const user = found instanceof Promise ? await found : found;
          if (user) return withAuthenticatedGroup(user);
        } catch (error) {
          if (!isAuthenticationError(error)) throw error;
          refusal ??= error;
        }
      }
      if (refusal !== undefined) throw refusal;
      return undefined;
    },
  };
}

const joined = new WeakMap<UserInfo, UserInfo>();

function withAuthenticatedGroup(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup) || user.groups.includes(unauthenticatedGroup)) return user;
  if (user.name === anonymousUserName) return user;
  let known = joined.get(user);
  if (!known) {
    known = { ...user, groups: [...user.groups, authenticatedGroup] };
    joined.set(user, known);
  }
  return known;
}

/** Who somebody without credentials is. */
export const anonymousUser: UserInfo = {
  name: anonymousUserName,
  uid: '',
  groups: [unauthenticatedGroup],
  extra: {},
};

/** Requests without any credentials are anonymous's; bad credentials stay refused. (--anonymous-auth) */
export function orAnonymous(authenticator: Authenticator): Authenticator {
  return {
    async authenticate(request, warn) {
      return (await authenticator.authenticate(request, warn)) ?? anonymousUser;
    },
  };
}
