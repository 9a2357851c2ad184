import { isPublicPath, withAnonymous } from '../../authentication/anonymous.ts';
import type { Authenticator } from '../../authentication/authenticator.ts';
import type { AnonymousAuthConfig } from '../../authentication/configuration/authentication-configuration.ts';
import { alwaysAllow } from '../../authorization/authorizer.ts';
import type { ServerOptions } from '../../options/server-options.ts';

/**
 * Allows anonymous requests. With AlwaysAllow, nothing restricts anonymous users, so they only get the health endpoints
 * and /version. (kube-apiserver then disables anonymous requests: BuiltInAuthenticationOptions.ApplyAuthorization)
 */
export function withAnonymousAccess(
  known: Authenticator,
  { anonymousAuth = true, authorizer, authorizationMode }: ServerOptions,
  configured: () => AnonymousAuthConfig | undefined,
): Authenticator {
  const allowsAll = authorizer === alwaysAllow || authorizationMode?.includes('AlwaysAllow') === true;
  return withAnonymous(known, (path) => {
    const { enabled = anonymousAuth, conditions = [] } = configured() ?? {};
    if (!enabled || (allowsAll && !isPublicPath(path))) return false;
    return conditions.length === 0 || conditions.some((condition) => condition.path === path);
  });
}
