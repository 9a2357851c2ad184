import { isPublicPath } from '../../authentication/anonymous.ts';
import type { AnonymousAuthConfig } from '../../authentication/configuration/authentication-configuration.ts';
import { alwaysAllow } from '../../authorization/authorizer.ts';
import type { ServerOptions } from '../../options/server-options.ts';

/**
 * What anonymous users may request. With AlwaysAllow, nothing restricts anonymous users, so they only get the health
 * endpoints and /version. (kube-apiserver then disables anonymous requests: BuiltInAuthenticationOptions.ApplyAuthorization)
 */
export class AnonymousAccess {
  readonly #options: ServerOptions;
  readonly #configured: () => AnonymousAuthConfig | undefined;

  constructor(options: ServerOptions, configured: () => AnonymousAuthConfig | undefined) {
    this.#options = options;
    this.#configured = configured;
  }

  /** @param path undefined of a request that has only headers, as that of a TokenReview */
  allows(path: string | undefined): boolean {
    const { anonymousAuth = true, authorizer, authorizationMode } = this.#options;
    const { enabled = anonymousAuth, conditions = [] } = this.#configured() ?? {};
    const allowsAll = authorizer === alwaysAllow || authorizationMode?.includes('AlwaysAllow') === true;
    if (!enabled || (allowsAll && (path === undefined || !isPublicPath(path)))) return false;
    return conditions.length === 0 || conditions.some((condition) => condition.path === path);
  }
}
