import type { UserInfo } from '../../machinery/user-info.ts';
import type { PolicyRule, RoleRef } from './objects.ts';

/** The rules that RBAC's objects give to users. (pkg/registry/rbac/validation AuthorizationRuleResolver) */
export interface AuthorizationRuleResolver {
  /**
   * The rules of the role that a binding refers to.
   *
   * @param namespace of the binding; "" for a ClusterRoleBinding
   * @returns undefined if there is no such role
   */
  roleReferenceRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
  /** All rules that apply to a user in a namespace, or in the cluster if it is "". */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
}

export interface ResolvedRules {
  /** In the order of the bindings' names, those of the cluster first. */
  readonly rules: readonly PolicyRule[];
  /** The roles that the user's bindings refer to, but that do not exist. */
  readonly missing: readonly RoleRef[];
}
