import { anonymousUserName, type UserInfo, unauthenticatedGroup } from '../machinery/user-info.ts';
import type { AuthenticationContext, Authenticator } from './authenticator.ts';

/** The user of requests without credentials. */
export const anonymousUser: UserInfo = {
  name: anonymousUserName,
  uid: '',
  groups: [unauthenticatedGroup],
  extra: {},
};

/** Health and version paths: the only ones for anonymous users of a server that authorizes everything. */
const publicPaths = /^\/(?:(?:healthz|livez|readyz)(?:\/[^/]*)?|version\/?)$/;

/** Reports whether a path is open to anonymous users who are limited to health and /version. @param path decoded */
export const isPublicPath = (path: string): boolean => publicPaths.test(path);

/**
 * Makes system:anonymous the user of requests without credentials. Invalid credentials are still refused. (apiserver
 * authentication/request/anonymous; --anonymous-auth, with conditions: KEP-4633)
 *
 * @param allows reports whether anonymous users may request a path. Default: all paths
 */
export function withAnonymous(authenticator: Authenticator, allows?: (path: string) => boolean): Authenticator {
  const anonymousFor = (context: AuthenticationContext | undefined): UserInfo | undefined =>
    allows === undefined || (context !== undefined && allows(context.requestInfo.path)) ? anonymousUser : undefined;
  return {
    authenticate(request, context) {
      const result = authenticator.authenticate(request, context);
      return result instanceof Promise ? result.then((user) => user ?? anonymousFor(context)) : (result ?? anonymousFor(context));
    },
  };
}
