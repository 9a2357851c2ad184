import type { AuthorizerDecision } from '../authorization/authorizer.ts';
import { requireAllowed } from '../authorization/refusal.ts';
import { requireUser } from '../http/request-state.ts';
import type { RequireCreate } from '../resources/rest.ts';
import type { ResourceRequest } from './resource-request.ts';

/**
 * A check that the user may create the object of a PUT or an apply, which turns out not to exist. The authorizer is asked
 * once for all attempts. (handlers.withAuthorization)
 */
export function createPermission({ ctx, scope, info }: ResourceRequest): RequireCreate {
  const { group, version, resource, subresource, namespace, name } = info;
  const attributes = {
    user: requireUser(ctx.state),
    verb: 'create',
    isResourceRequest: true,
    path: info.path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  };
  let decided: AuthorizerDecision | Promise<AuthorizerDecision> | undefined;
  return async () => {
    decided ??= scope.authorizer.authorize(attributes);
    requireAllowed(await decided, attributes);
  };
}
