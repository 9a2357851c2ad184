import type { ApiModel, TypeModel } from './model.ts';

/**
 * Returns the namespace by which generated files import a group-version: `meta/v1` -> `metav1`,
 * `rbac.authorization.k8s.io/v1` -> `rbacv1`.
 */
export function folderAlias(folder: string, model: ApiModel): string {
  const short = shortAlias(folder);
  const clash = model.groupVersions.some((other) => other.folder !== folder && shortAlias(other.folder) === short);
  return identifier(clash ? folder.replace(/[^A-Za-z0-9]/g, '') : short);
}

function shortAlias(folder: string): string {
  const [group, version = ''] = folder.split('/');
  return `${group?.split('.')[0] ?? ''}${version}`.replace(/[^A-Za-z0-9]/g, '');
}

/** Returns a name as an identifier: `3scale` -> `_3scale`. `suffix` is added to a taken name. */
export function identifier(name: string, taken: readonly string[] = [], suffix = ''): string {
  const valid = /^[0-9]/.test(name) ? `_${name}` : name;
  return taken.includes(valid) ? `${valid}${suffix}` : valid;
}

/** The members of every client, independent of its groups. */
const clientMembers = ['close', 'constructor', 'restClient'];

/**
 * Returns the member of a client for a group: `rbac.authorization.k8s.io` -> `rbac`, the core group -> `core`. If two
 * groups would share it, returns the whole name in camel case.
 */
export function groupProperty(group: string, model: ApiModel): string {
  const short = shortGroup(group);
  const clash = model.groupVersions.some((other) => other.served && other.group !== group && shortGroup(other.group) === short);
  return identifier(clash ? camelCase(group) : short, clientMembers, 'Group');
}

function shortGroup(group: string): string {
  return group === '' ? 'core' : camelCase(group.split('.', 1).join());
}

export function camelCase(text: string): string {
  const name = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

export function pascalCase(text: string): string {
  const name = camelCase(text);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the Go name in error messages: `v1.PodSpec`. */
export function goTypeName(type: TypeModel): string {
  const goPackage = type.goPackage ?? type.folder;
  return `${goPackage.slice(goPackage.lastIndexOf('/') + 1)}.${type.name}`;
}

export function lowerFirst(name: string): string {
  const head = /^[A-Z]+(?=[A-Z][a-z]|[^A-Za-z]|$)|^[A-Z]/.exec(name)?.[0] ?? '';
  return head.toLowerCase() + name.slice(head.length);
}

/** Returns `v1` or `apps/v1`. */
export const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;
