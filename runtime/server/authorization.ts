import { type Authorizer, alwaysAllow } from '../authorization/authorizer.ts';
import { alwaysDeny, privilegedGroups } from '../authorization/builtin.ts';
import { validateAuthorizationModes } from '../authorization/modes.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../authorization/rbac/objects.ts';
import { rbacGroup } from '../authorization/rbac/objects.ts';
import type { Policy } from '../authorization/rbac/policy.ts';
import { RBACAuthorizer } from '../authorization/rbac/rbac-authorizer.ts';
import { unionAuthorizer } from '../authorization/union.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { type ResourceEventHandler, startInformer } from './informer.ts';
import type { AuthorizationOptions } from './options/authorization.ts';
import { OptionError } from './options.ts';

const defaultModes: readonly string[] = ['RBAC'];

/**
 * The authorizer that the options ask for. Whatever the modes are, system:masters may do everything.
 * (kubernetes pkg/kubeapiserver/authorizer newForConfig)
 *
 * @param policy what the mode RBAC decides by
 * @throws OptionError for unknown, repeated and unsupported modes
 */
export function buildAuthorizer(
  { authorizer, authorizationMode: modes = defaultModes }: AuthorizationOptions,
  policy: Policy,
): Authorizer {
  const error = validateAuthorizationModes(modes);
  if (error !== undefined) throw new OptionError(`--authorization-mode: ${error}`);
  if (authorizer !== undefined) return authorizer;
  const constructors: Readonly<Record<string, () => Authorizer>> = {
    AlwaysAllow: () => alwaysAllow,
    AlwaysDeny: () => alwaysDeny,
    RBAC: () => new RBACAuthorizer(policy),
  };
  // nothing is left to the other modes
  if (modes[0] === 'AlwaysAllow') return alwaysAllow;
  return unionAuthorizer([privilegedGroups, ...modes.map((mode) => constructors[mode]())]);
}

/**
 * Keeps the policy up to date with the roles and bindings in the store, as far as the server serves them. Resolves when it
 * has those that exist.
 *
 * @returns what ends it
 */
export async function followPolicy(stores: ResourceStores, policy: Policy): Promise<() => void> {
  const follow = async <T extends KubeObject>(
    resource: string,
    handler: ResourceEventHandler<T>,
  ): Promise<() => void> =>
    stores.serves(rbacGroup, 'v1', resource)
      ? startInformer(stores, { group: rbacGroup, version: 'v1', resource }, handler)
      : () => undefined;
  const bindings = {
    onSet: (binding: RoleBinding | ClusterRoleBinding) => policy.setBinding(binding),
    onDelete: (namespace: string, name: string) => policy.deleteBinding(namespace, name),
  };
  const stops = await Promise.all([
    follow<ClusterRole>('clusterroles', {
      onSet: (role) => policy.setClusterRole(role),
      onDelete: (_, name) => policy.deleteClusterRole(name),
    }),
    follow<Role>('roles', {
      onSet: (role) => policy.setRole(role),
      onDelete: (namespace, name) => policy.deleteRole(namespace, name),
    }),
    follow<ClusterRoleBinding>('clusterrolebindings', bindings),
    follow<RoleBinding>('rolebindings', bindings),
  ]);
  return () => {
    for (const stop of stops) stop();
  };
}
