import type { NonResourceRuleSpec, ResourceRuleSpec, SubjectSpec } from '../objects.ts';

export const groups = (...names: string[]): SubjectSpec[] => names.map((name) => ({ kind: 'Group', group: { name } }));
export const users = (...names: string[]): SubjectSpec[] => names.map((name) => ({ kind: 'User', user: { name } }));

/** Every service account of the system's own namespace. */
export const systemServiceAccounts: readonly SubjectSpec[] = [
  { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } },
];

export const everybody = groups('system:unauthenticated', 'system:authenticated');

export const allResources: ResourceRuleSpec = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};

export const allPaths: NonResourceRuleSpec = { verbs: ['*'], nonResourceURLs: ['*'] };
