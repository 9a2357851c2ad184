import type { Subject } from '../objects.ts';
import { coordination, core, type RoleTable, read, recordEvents, rule, until } from './rules.ts';
import { serviceAccounts, users } from './subjects.ts';

const leaderLocking = (name: string) => [
  until(34, rule('watch', core, 'configmaps')),
  until(34, rule('get update', core, 'configmaps', name)),
  rule('create get list update watch', coordination, 'leases'),
  rule('create get list update watch', coordination, 'leasecandidates'),
];

/** Roles by namespace and name. (plugin/pkg/auth/authorizer/rbac/bootstrappolicy/namespace_policy.go) */
export const namespaceRoles: Readonly<Record<string, RoleTable>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      rule(read, core, 'configmaps'),
      rule('update', core, 'configmaps', 'cluster-info'),
      recordEvents,
    ],
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': [rule(read, core, 'configmaps', 'extension-apiserver-authentication')],
    'system::leader-locking-kube-controller-manager': leaderLocking('kube-controller-manager'),
    'system::leader-locking-kube-scheduler': leaderLocking('kube-scheduler'),
    'system:controller:bootstrap-signer': [rule(read, core, 'secrets')],
    'system:controller:cloud-provider': [rule('create get list watch', core, 'configmaps')],
    'system:controller:token-cleaner': [rule('delete get list watch', core, 'secrets'), recordEvents],
  },
};

/** A binding to a role of the same namespace. */
export interface NamespaceBinding {
  readonly namespace: string;
  readonly role: string;
  /** Default: the name of the role. */
  readonly name?: string;
  readonly subjects: readonly Subject[];
}

const manager = 'system:kube-controller-manager';
const scheduler = 'system:kube-scheduler';

export const namespaceBindings: readonly NamespaceBinding[] = [
  {
    namespace: 'kube-public',
    role: 'system:controller:bootstrap-signer',
    subjects: serviceAccounts('bootstrap-signer'),
  },
  {
    namespace: 'kube-system',
    role: 'extension-apiserver-authentication-reader',
    name: 'system::extension-apiserver-authentication-reader',
    subjects: users(manager, scheduler),
  },
  {
    namespace: 'kube-system',
    role: 'system::leader-locking-kube-controller-manager',
    subjects: [...users(manager), ...serviceAccounts('kube-controller-manager', 'leader-election-controller')],
  },
  {
    namespace: 'kube-system',
    role: 'system::leader-locking-kube-scheduler',
    subjects: [...users(scheduler), ...serviceAccounts('kube-scheduler')],
  },
  ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((account) => ({
    namespace: 'kube-system',
    role: `system:controller:${account}`,
    subjects: serviceAccounts(account),
  })),
];
