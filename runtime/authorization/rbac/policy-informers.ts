import type { GroupVersionResource } from '../../machinery/gvk.ts';
import { startInformers } from '../../resources/informer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './objects.ts';
import { rbacGroup } from './objects.ts';
import type { Policy } from './policy.ts';

const rbac = (resource: string): { resource: GroupVersionResource } => ({
  resource: { group: rbacGroup, version: 'v1', resource },
});

/**
 * Keeps the policy up to date with the served roles and bindings in the store. Resolves when the policy has the
 * existing objects.
 *
 * @param isComplete whether the policy already has them
 * @returns a function that ends that
 */
export function followPolicy(stores: ResourceStores, policy: Policy, isComplete: boolean): Promise<() => void> {
  const bindings = {
    onSet: (binding: RoleBinding | ClusterRoleBinding) => policy.setBinding(binding),
    onDelete: (namespace: string, name: string) => policy.deleteBinding(namespace, name),
  };
  return startInformers(
    stores,
    [
      {
        ...rbac('clusterroles'),
        onSet: (role: ClusterRole) => policy.setClusterRole(role),
        onDelete: (_, name) => policy.deleteClusterRole(name),
      },
      {
        ...rbac('roles'),
        onSet: (role: Role) => policy.setRole(role),
        onDelete: (namespace, name) => policy.deleteRole(namespace, name),
      },
      { ...rbac('clusterrolebindings'), ...bindings },
      { ...rbac('rolebindings'), ...bindings },
    ],
    isComplete,
  );
}
