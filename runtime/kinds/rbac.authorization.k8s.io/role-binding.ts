import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { type Errors, semanticDeepEqual, validateEnum, validateFormat } from '../validation/fields.ts';

/** (pkg/apis/rbac/validation/validation.go) */
const rbacGroup = 'rbac.authorization.k8s.io';

function validateBinding(binding: Part, isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {};
  const at = path.child('roleRef');
  if (apiGroup !== rbacGroup) errors.push(notSupported(at.child('apiGroup'), apiGroup, [rbacGroup]));
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  validateEnum(kind, kinds, at.child('kind'), errors);
  // That there is a name is a marker of its Go field.
  for (const message of pathSegment(name)) errors.push(invalid(at.child('name'), name, message));
  for (const [index, subject] of (binding.subjects ?? []).entries()) {
    validateRoleBindingSubject(subject, isNamespaced, path.child('subjects').index(index), errors);
  }
}

/** Names that can stand in a URL. (apimachinery pkg/api/validation/path) */
function pathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

function validateRoleBindingSubject(subject: Part, isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  const { kind = '', name = '', namespace = '', apiGroup = '' } = subject;
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') validateFormat(name, dnsSubdomain, path.child('name'), errors);
      if (apiGroup !== '') errors.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
      if (!isNamespaced && namespace === '') errors.push(required(path.child('namespace')));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) errors.push(notSupported(path.child('apiGroup'), apiGroup, [rbacGroup]));
      return;
    default:
      errors.push(notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']));
  }
}

export function validateRoleBinding(binding: Part, path: FieldPath, errors: Errors): void {
  validateBinding(binding, true, path, errors);
}

export function validateClusterRoleBinding(binding: Part, path: FieldPath, errors: Errors): void {
  validateBinding(binding, false, path, errors);
}

export function validateRoleBindingUpdate(binding: Part, old: Part, path: FieldPath, errors: Errors): void {
  if (!semanticDeepEqual(binding.roleRef, old.roleRef)) {
    errors.push(invalid(path.child('roleRef'), binding.roleRef, 'cannot change roleRef'));
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
