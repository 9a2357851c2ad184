import type { UserInfo } from '../../machinery/user-info.ts';
import { BoundRoles } from './bound-roles.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef } from './objects.ts';
import type { AuthorizationRuleResolver, ResolvedRules } from './rule-resolver.ts';
import { type Binding, type Grant, SubjectIndex } from './subject-index.ts';

/**
 * All roles and bindings, indexed for decisions: bindings by the users and groups that they name, with their roles'
 * rules. The cost of a change depends only on the size of the object. (DefaultRuleResolver of
 * pkg/registry/rbac/validation)
 */
export class Policy implements AuthorizationRuleResolver {
  #roles = new BoundRoles();
  #clusterRoles = new BoundRoles();
  #bindings = new Map<string, Binding>();
  #cluster = new SubjectIndex();
  #namespaces = new Map<string, SubjectIndex>();
  /** Whether a copy shares the maps. The first change then copies them. */
  #isShared = false;

  /** Returns an independent copy of the roles and bindings. It costs nothing until one of the two changes. */
  copy(): Policy {
    const copy = new Policy();
    copy.#roles = this.#roles;
    copy.#clusterRoles = this.#clusterRoles;
    copy.#bindings = this.#bindings;
    copy.#cluster = this.#cluster;
    copy.#namespaces = this.#namespaces;
    this.#isShared = copy.#isShared = true;
    return copy;
  }

  /** Copies shared maps before a change. */
  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    const bindings = this.#bindings;
    this.#roles = this.#roles.copy();
    this.#clusterRoles = this.#clusterRoles.copy();
    this.#bindings = new Map();
    this.#cluster = new SubjectIndex();
    this.#namespaces = new Map();
    for (const { namespace, name, roleRef, subjects } of bindings.values()) {
      this.setBinding({ metadata: { namespace, name }, roleRef, subjects: [...subjects] });
    }
  }

  setRole({ metadata: { namespace = '', name = '' }, rules }: Role): void {
    this.#own();
    // the rules of a stored role may be null
    this.#roles.set(namespace, name, rules ?? []);
  }

  deleteRole(namespace: string, name: string): void {
    this.#own();
    this.#roles.delete(namespace, name);
  }

  setClusterRole({ metadata: { name = '' }, rules }: ClusterRole): void {
    this.#own();
    this.#clusterRoles.set('', name, rules ?? []);
  }

  deleteClusterRole(name: string): void {
    this.#own();
    this.#clusterRoles.delete('', name);
  }

  /** @param binding a RoleBinding, or a ClusterRoleBinding, which has no namespace */
  setBinding({ metadata, roleRef, subjects: given }: RoleBinding | ClusterRoleBinding): void {
    this.#own();
    const { namespace = '', name = '' } = metadata;
    this.deleteBinding(namespace, name);
    const subjects = given ?? [];
    const { roles, roleNamespace } = this.#rolesOf(roleRef, namespace);
    const binding = { namespace, name, roleRef, subjects, role: roles.bind(roleNamespace, roleRef.name) };
    this.#bindings.set(`${namespace}/${name}`, binding);
    let index = this.bindingsIn(namespace);
    if (index === undefined) {
      index = new SubjectIndex();
      this.#namespaces.set(namespace, index);
    }
    index.add(binding);
  }

  deleteBinding(namespace: string, name: string): void {
    this.#own();
    const binding = this.#bindings.get(`${namespace}/${name}`);
    if (binding === undefined) return;
    this.#bindings.delete(`${namespace}/${name}`);
    const index = this.bindingsIn(namespace);
    index?.remove(binding);
    if (index?.isEmpty) this.#namespaces.delete(namespace);
    const { roles, roleNamespace } = this.#rolesOf(binding.roleRef, namespace);
    roles.unbind(roleNamespace, binding.roleRef.name);
  }

  /** Returns the bindings of a namespace, or the ClusterRoleBindings for "". Undefined if there are none. */
  bindingsIn(namespace: string): SubjectIndex | undefined {
    return namespace === '' ? this.#cluster : this.#namespaces.get(namespace);
  }

  roleReferenceRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const { roles, roleNamespace } = this.#rolesOf(roleRef, namespace);
    return roles.get(roleNamespace, roleRef.name)?.rules?.rules;
  }

  rulesFor(user: UserInfo, namespace: string): ResolvedRules {
    const rules: PolicyRule[] = [];
    const missing: RoleRef[] = [];
    for (const { role, roleRef } of this.#bindingsOf(user, namespace)) {
      if (role.rules === undefined) missing.push(roleRef);
      else for (const rule of role.rules.rules) rules.push(rule);
    }
    return { rules, missing };
  }

  #rolesOf({ kind }: RoleRef, namespace: string): { roles: BoundRoles; roleNamespace: string } {
    return kind === 'ClusterRole' ? { roles: this.#clusterRoles, roleNamespace: '' } : { roles: this.#roles, roleNamespace: namespace };
  }

  /** Returns each binding of the user once, sorted by name. ClusterRoleBindings come first. */
  #bindingsOf(user: UserInfo, namespace: string): Binding[] {
    const found = sortedBindings(this.#cluster, user);
    const index = namespace === '' ? undefined : this.#namespaces.get(namespace);
    return index === undefined ? found : [...found, ...sortedBindings(index, user)];
  }
}

function sortedBindings(index: SubjectIndex, { name, groups }: UserInfo): Binding[] {
  const found = new Set<Binding>();
  const collect = (grants: readonly Grant[] | undefined): void => {
    for (const { binding } of grants ?? []) found.add(binding);
  };
  collect(index.users.get(name));
  for (const group of groups) collect(index.groups.get(group));
  return [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
}
