import { rbacGroup, type Subject } from '../objects.ts';

export const users = (...names: readonly string[]): Subject[] => names.map((name) => ({ apiGroup: rbacGroup, kind: 'User', name }));

export const groups = (...names: readonly string[]): Subject[] => names.map((name) => ({ apiGroup: rbacGroup, kind: 'Group', name }));

/** Returns service accounts of kube-system as subjects. */
export const serviceAccounts = (...names: readonly string[]): Subject[] =>
  names.map((name) => ({ kind: 'ServiceAccount', namespace: 'kube-system', name }));
