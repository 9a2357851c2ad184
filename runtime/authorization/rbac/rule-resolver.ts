import type { UserInfo } from '../../machinery/user-info.ts';
import type { PolicyRule, RoleRef } from './objects.ts';

/** Resolves the rules that RBAC objects grant to users. (pkg/registry/rbac/validation AuthorizationRuleResolver) */
export interface AuthorizationRuleResolver {
  /**
   * Returns the rules of the role that a binding refers to.
   *
   * @param namespace the namespace of the binding; "" for a ClusterRoleBinding
   * @returns undefined if the role does not exist
   */
  roleReferenceRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
  /** Returns all rules for a user in a namespace, or cluster-wide for "". */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
}

export interface ResolvedRules {
  /** The rules, sorted by the bindings' names. Those of ClusterRoleBindings come first. */
  readonly rules: readonly PolicyRule[];
  /** The missing roles that the user's bindings refer to. */
  readonly missing: readonly RoleRef[];
}
