import type { AuthorizerAttributes } from '../../runtime/authorization/authorizer.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '../../runtime/authorization/rbac/objects.ts';

/** All objects of RBAC in a cluster. */
export interface RbacObjects {
  roles: Role[];
  clusterRoles: ClusterRole[];
  roleBindings: RoleBinding[];
  clusterRoleBindings: ClusterRoleBinding[];
}

export interface Reading {
  readonly allowed: boolean;
  /** The grants that allow the request. Any of them may be the reason. */
  readonly reasons: readonly string[];
  /** The missing roles in the reason of a refusal. */
  readonly missing: readonly string[];
}

type AnyBinding = RoleBinding | ClusterRoleBinding;

/** Evaluates RBAC's objects for a request, slowly and literally, one object after the other. */
export function readRbac(objects: RbacObjects, request: AuthorizerAttributes): Reading {
  const reasons: string[] = [];
  const missing = new Set<string>();
  const inNamespace = objects.roleBindings.filter(({ metadata }) => metadata.namespace === request.namespace);
  for (const binding of [...objects.clusterRoleBindings, ...inNamespace]) {
    const subject = (binding.subjects ?? []).find((one) => isSubject(one, binding, request));
    if (subject === undefined) continue;
    const role = roleOf(objects, binding);
    if (role === undefined)
      missing.add(`${binding.roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io "${binding.roleRef.name}" not found`);
    else if ((role.rules ?? []).some((rule) => ruleAllows(rule, request))) reasons.push(reasonOf(binding, subject));
  }
  return { allowed: reasons.length > 0, reasons, missing: [...missing] };
}

function roleOf({ roles, clusterRoles }: RbacObjects, { metadata, roleRef }: AnyBinding): Role | undefined {
  if (roleRef.kind === 'ClusterRole') return clusterRoles.find((role) => role.metadata.name === roleRef.name);
  return roles.find((role) => role.metadata.namespace === metadata.namespace && role.metadata.name === roleRef.name);
}

function isSubject({ kind, name, namespace }: Subject, { metadata }: AnyBinding, { user }: AuthorizerAttributes): boolean {
  if (kind === 'Group') return user.groups.some((group) => group === name);
  if (kind === 'User') return user.name === name;
  const of = namespace || metadata.namespace || '';
  return of !== '' && user.name === `system:serviceaccount:${of}:${name}`;
}

export function ruleAllows(rule: PolicyRule, request: AuthorizerAttributes): boolean {
  const has = (list: readonly string[] | undefined, one: string): boolean => (list ?? []).some((each) => each === one);
  if (!has(rule.verbs, '*') && !has(rule.verbs, request.verb)) return false;
  if (!request.isResourceRequest) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? request.path.startsWith(url.replace(/\*+$/, '')) : request.path === url,
    );
  }
  if (!has(rule.apiGroups, '*') && !has(rule.apiGroups, request.group)) return false;
  const names = rule.resourceNames ?? [];
  if (names.length > 0 && !has(names, request.name)) return false;
  const { resource, subresource } = request;
  if (has(rule.resources, '*')) return true;
  if (subresource === '') return has(rule.resources, resource);
  return has(rule.resources, `${resource}/${subresource}`) || has(rule.resources, `*/${subresource}`);
}

function reasonOf({ metadata, roleRef }: AnyBinding, { kind, name, namespace }: Subject): string {
  const { namespace: own } = metadata;
  const binding = own ? `RoleBinding "${metadata.name}/${own}"` : `ClusterRoleBinding "${metadata.name}"`;
  const to = kind === 'ServiceAccount' ? `${name}/${namespace || own}` : name;
  return `RBAC: allowed by ${binding} of ${roleRef.kind} "${roleRef.name}" to ${kind} "${to}"`;
}
