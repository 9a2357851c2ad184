import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { anonymousUserName, authenticatedGroup, type UserInfo, unauthenticatedGroup } from '../machinery/user-info.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;

/**
 * Tells who makes a request, by one kind of credentials. Undefined: the request has no such credentials.
 * Throws AuthenticationError when it has, and they are not good.
 */
export interface Authenticator {
  authenticate(request: AnyRequest, client?: Client): UserInfo | undefined | Promise<UserInfo | undefined>;
}

/** What of the request's state authenticators look at. */
export interface Client {
  /** Tells the client what it may want to know, whoever it is. */
  addWarnings(...texts: readonly string[]): void;
  readonly requestInfo: { readonly path: string };
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
  type Answer = ReturnType<Authenticator['authenticate']>;
  const askFrom = (start: number, request: AnyRequest, client: Client | undefined, refused: unknown): Answer => {
    let refusal = refused;
    for (let at = start; at < authenticators.length; at++) {
      let found: Answer;
      try {
        found = authenticators[at].authenticate(request, client);
      } catch (error) {
        refusal = firstRefusal(refusal, error);
        continue;
      }
      if (found instanceof Promise) {
        return found.then(
          (user) => (user ? withAuthenticatedGroup(user) : askFrom(at + 1, request, client, refusal)),
          (error) => askFrom(at + 1, request, client, firstRefusal(refusal, error)),
        );
      }
      if (found) return withAuthenticatedGroup(found);
    }
    if (refusal !== undefined) throw refusal;
    return undefined;
  };
  return { authenticate: (request, client) => askFrom(0, request, client, undefined) };
}

function firstRefusal(known: unknown, error: unknown): unknown {
  if (!isAuthenticationError(error)) throw error;
  return known ?? error;
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

/** What anybody may ask where everybody who is let in may do everything: whether the server is well, and which it is. */
const openPaths = /^\/(?:(?:healthz|livez|readyz)(?:\/[^/]*)?|version\/?)$/;

/** The condition that keeps strangers to health and /version, by the decoded path. */
export const isOpenPath = (path: string): boolean => openPaths.test(path);

/**
 * Requests without any credentials are anonymous's; bad credentials stay refused. (--anonymous-auth; with conditions:
 * KEP-4633)
 *
 * @param mayBe whether anonymous is let in on a path; absent: on all
 */
export function orAnonymous(authenticator: Authenticator, mayBe?: (path: string) => boolean): Authenticator {
  const anonymousFor = (client: Client | undefined): UserInfo | undefined =>
    mayBe === undefined || (client !== undefined && mayBe(client.requestInfo.path)) ? anonymousUser : undefined;
  return {
    authenticate(request, client) {
      const found = authenticator.authenticate(request, client);
      return found instanceof Promise
        ? found.then((user) => user ?? anonymousFor(client))
        : (found ?? anonymousFor(client));
    },
  };
}
