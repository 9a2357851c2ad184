import { elementAt } from '../../machinery/collections/element-at.ts';
import { serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';
import type { AuthorizerDecision } from '../authorizer.ts';
import type { BoundRole } from './bound-roles.ts';
import type { RoleRef, Subject } from './objects.ts';

/** A RoleBinding, or a ClusterRoleBinding, whose namespace is "". */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
  readonly role: BoundRole;
}

/** A binding from the view of one of its subjects. */
export interface Grant {
  readonly binding: Binding;
  /** The index of the first subject equal to this user or group. */
  readonly subject: number;
  /** The decision of this grant, cached after the first use. */
  allowed?: AuthorizerDecision;
}

/** Returns the user name of a subject; undefined for a group, and for an invalid subject. */
function userNameOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === 'User') return name;
  if (kind !== 'ServiceAccount') return undefined;
  const accountNamespace = namespace || bindingNamespace;
  return accountNamespace === '' ? undefined : serviceAccountUserName(accountNamespace, name);
}

/** The bindings of a namespace, or of the cluster, by user and group. Each list is sorted by the bindings' names. */
export class SubjectIndex {
  readonly users = new Map<string, Grant[]>();
  readonly groups = new Map<string, Grant[]>();

  get isEmpty(): boolean {
    return this.users.size === 0 && this.groups.size === 0;
  }

  add(binding: Binding): void {
    for (const [index, subject] of binding.subjects.entries()) {
      const grants = this.#grantsOf(subject, binding.namespace, true);
      if (grants === undefined) continue;
      const at = positionOf(binding.name, grants);
      // a binding may name a subject twice
      if (grants[at]?.binding !== binding) grants.splice(at, 0, { binding, subject: index });
    }
  }

  remove(binding: Binding): void {
    for (const subject of binding.subjects) {
      const grants = this.#grantsOf(subject, binding.namespace, false);
      if (grants === undefined) continue;
      const at = positionOf(binding.name, grants);
      if (grants[at]?.binding !== binding) continue;
      if (grants.length > 1) grants.splice(at, 1);
      else if (subject.kind === 'Group') this.groups.delete(subject.name);
      else this.users.delete(userNameOf(subject, binding.namespace) as string);
    }
  }

  /**
   * Returns the grant, or another of its binding if an earlier subject also applies to the user. Does not read the
   * subjects, of which there may be thousands. (pkg/registry/rbac/validation/rule.go appliesTo)
   */
  firstOf(grant: Grant, { name, groups }: UserInfo): Grant {
    let first = earlier(grant, this.users.get(name));
    for (const group of groups) first = earlier(first, this.groups.get(group));
    return first;
  }

  #grantsOf(subject: Subject, namespace: string, create: boolean): Grant[] | undefined {
    const isGroup = subject.kind === 'Group';
    const name = isGroup ? subject.name : userNameOf(subject, namespace);
    if (name === undefined) return undefined;
    const map = isGroup ? this.groups : this.users;
    let grants = map.get(name);
    if (grants === undefined && create) {
      grants = [];
      map.set(name, grants);
    }
    return grants;
  }
}

function earlier(grant: Grant, grants: readonly Grant[] | undefined): Grant {
  if (grant.subject === 0 || grants === undefined) return grant;
  const other = grants[positionOf(grant.binding.name, grants)];
  return other?.binding === grant.binding && other.subject < grant.subject ? other : grant;
}

/**
 * Returns the position of a binding's name in a sorted list, or the place to insert it. Bindings are usually added in
 * the order of their names.
 */
function positionOf(name: string, grants: readonly Grant[]): number {
  let end = grants.length;
  const last = grants.at(-1);
  if (last === undefined || last.binding.name < name) return end;
  let start = 0;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (elementAt(grants, middle).binding.name < name) start = middle + 1;
    else end = middle;
  }
  return start;
}
