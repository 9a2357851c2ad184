import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from '../validation/fields.ts';

/** (pkg/apis/rbac/validation/validation.go) */
const rbacGroup = 'rbac.authorization.k8s.io';

function validateBinding(binding: Part, isNamespaced: boolean, path: Field): void {
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {};
  const at = path.child('roleRef');
  if (apiGroup !== rbacGroup) at.child('apiGroup').notSupported(apiGroup, [rbacGroup]);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  validateEnum(kind, kinds, at.child('kind'));
  // That there is a name is a marker of its Go field.
  for (const message of pathSegment(name)) at.child('name').invalid(name, message);
  for (const [index, subject] of (binding.subjects ?? []).entries()) {
    validateRoleBindingSubject(subject, isNamespaced, path.child('subjects').index(index));
  }
}

/** Names that can stand in a URL. (apimachinery pkg/api/validation/path) */
function pathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

function validateRoleBindingSubject(subject: Part, isNamespaced: boolean, field: Field): void {
  const { kind = '', name = '', namespace = '', apiGroup = '' } = subject;
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') validateFormat(name, dnsSubdomain, field.child('name'));
      if (apiGroup !== '') field.child('apiGroup').notSupported(apiGroup, ['']);
      if (!isNamespaced && namespace === '') field.child('namespace').required();
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) field.child('apiGroup').notSupported(apiGroup, [rbacGroup]);
      return;
    default:
      field.child('kind').notSupported(kind, ['ServiceAccount', 'User', 'Group']);
  }
}

export function validateRoleBinding(binding: Part, field: Field): void {
  validateBinding(binding, true, field);
}

export function validateClusterRoleBinding(binding: Part, field: Field): void {
  validateBinding(binding, false, field);
}

export function validateRoleBindingUpdate(binding: Part, old: Part, field: Field): void {
  if (!semanticDeepEqual(binding.roleRef, old.roleRef)) {
    field.child('roleRef').invalid(binding.roleRef, 'cannot change roleRef');
  }
}

export const bindingRole = ({ roleRef }: KubeObject): string => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`;

const subjectsOfKind = ({ subjects }: KubeObject, wanted: string): readonly Part[] =>
  (subjects ?? []).filter(({ kind }: Part) => kind === wanted);
const joinNames = (found: readonly Part[]): string => found.map(({ name }) => name ?? '').join(', ');

export const bindingUsers = (object: KubeObject): string => joinNames(subjectsOfKind(object, 'User'));
export const bindingGroups = (object: KubeObject): string => joinNames(subjectsOfKind(object, 'Group'));
export const bindingServiceAccounts = (object: KubeObject): string =>
  subjectsOfKind(object, 'ServiceAccount')
    .map(({ namespace, name }) => (namespace ? `${namespace}/${name ?? ''}` : (name ?? '')))
    .join(', ');
