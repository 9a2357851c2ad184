import type * as rbac from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';
import { pathSegment } from '../../structural/formats.ts';
import { validateFormat } from '../validation/fields.ts';
import { internal } from '../validation/internal-value.ts';

/** (pkg/apis/rbac/validation/validation.go) */

type RoleBinding = Unvalidated<rbac.RoleBinding | rbac.ClusterRoleBinding>;
type Subject = Unvalidated<rbac.Subject>;

/** The members of a RoleRef as Go shows it. */
const roleRefShape = { apiGroup: '', kind: '', name: '' };

const rbacGroup = 'rbac.authorization.k8s.io';

function validateBinding({ roleRef = {}, subjects }: RoleBinding, isNamespaced: boolean, field: Field): void {
  const { apiGroup = '', kind = '', name = '' } = roleRef;
  const at = field.child('roleRef');
  if (apiGroup !== rbacGroup) at.child('apiGroup').notSupported(apiGroup, [rbacGroup], false);
  const kinds = isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(kind)) at.child('kind').notSupported(kind, kinds, false);
  if (name === '') at.child('name').required();
  else for (const message of pathSegment(name)) at.child('name').invalid(name, message);
  for (const [index, subject] of (subjects ?? []).entries()) {
    validateRoleBindingSubject(subject, isNamespaced, field.child('subjects').index(index));
  }
}

function validateRoleBindingSubject(subject: Subject, isNamespaced: boolean, field: Field): void {
  const { kind = '', name = '', namespace = '', apiGroup = '' } = subject;
  if (name === '') field.child('name').required();
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') validateFormat(name, dnsSubdomain, field.child('name'));
      if (apiGroup !== '') field.child('apiGroup').notSupported(apiGroup, [''], false);
      if (!isNamespaced && namespace === '') field.child('namespace').required();
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== rbacGroup) field.child('apiGroup').notSupported(apiGroup, [rbacGroup], false);
      return;
    default:
      field.child('kind').notSupported(kind, ['ServiceAccount', 'User', 'Group'], false);
  }
}

export function validateRoleBinding(binding: RoleBinding, field: Field): void {
  validateBinding(binding, true, field);
}

export function validateClusterRoleBinding(binding: RoleBinding, field: Field): void {
  validateBinding(binding, false, field);
}

export function validateRoleBindingUpdate(binding: RoleBinding, old: RoleBinding, field: Field): void {
  if (!equalPruned(binding.roleRef, old.roleRef)) {
    field.child('roleRef').invalid(internal(binding.roleRef ?? {}, roleRefShape), 'cannot change roleRef');
  }
}

export const bindingRole = ({ roleRef }: RoleBinding): string => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`;

const subjectsOfKind = ({ subjects }: RoleBinding, wanted: string): readonly Subject[] =>
  (subjects ?? []).filter(({ kind }) => kind === wanted);
const joinNames = (subjects: readonly Subject[]): string => subjects.map(({ name }) => name ?? '').join(', ');

export const bindingUsers = (binding: RoleBinding): string => joinNames(subjectsOfKind(binding, 'User'));
export const bindingGroups = (binding: RoleBinding): string => joinNames(subjectsOfKind(binding, 'Group'));
export const bindingServiceAccounts = (binding: RoleBinding): string =>
  subjectsOfKind(binding, 'ServiceAccount')
    .map(({ namespace, name }) => (namespace ? `${namespace}/${name ?? ''}` : (name ?? '')))
    .join(', ');
