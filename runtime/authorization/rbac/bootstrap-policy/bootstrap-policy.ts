import type { FeatureGates } from '../../../machinery/feature-gates/feature-gates.ts';
import { authenticatedGroup, privilegedGroup, unauthenticatedGroup } from '../../../machinery/user-info.ts';
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject } from '../objects.ts';
import { rbacGroup } from '../objects.ts';
import { clusterRoles } from './cluster-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { namespaceBindings, namespaceRoles } from './namespace-roles.ts';
import { releaseOf, rolesOf } from './rules.ts';
import { groups, serviceAccounts, users } from './subjects.ts';

/** The roles and bindings of every cluster. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly ClusterRole[];
  readonly clusterRoleBindings: readonly ClusterRoleBinding[];
  readonly roles: readonly Role[];
  readonly roleBindings: readonly RoleBinding[];
}

/** With the value "false", the server does not update the object. (rbacv1.AutoUpdateAnnotationKey) */
export const autoUpdateAnnotation = 'rbac.authorization.kubernetes.io/autoupdate';

/** Roles that aggregate the roles with the label `rbac.authorization.k8s.io/aggregate-to-<name>`. */
const aggregated = ['admin', 'edit', 'view'];

/** The aggregated role that each of these roles is part of. */
const aggregatedTo: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

/**
 * The subjects of the cluster roles that are bound initially, as far as a release has the roles. system:node has none,
 * since the Node authorizer replaces it.
 */
const boundTo: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': groups(privilegedGroup),
  'system:basic-user': groups(authenticatedGroup),
  'system:cluster-trust-bundle-discovery': groups('system:serviceaccounts'),
  'system:discovery': groups(authenticatedGroup),
  'system:kube-controller-manager': users('system:kube-controller-manager'),
  'system:kube-dns': serviceAccounts('kube-dns'),
  'system:kube-scheduler': users('system:kube-scheduler'),
  'system:monitoring': groups('system:monitoring'),
  'system:node': [],
  'system:node-proxier': users('system:kube-proxy'),
  'system:public-info-viewer': groups(authenticatedGroup, unauthenticatedGroup),
  'system:service-account-issuer-discovery': groups('system:serviceaccounts'),
  'system:volume-scheduler': users('system:kube-scheduler'),
};

/**
 * Returns the policy of a release. (plugin/pkg/auth/authorizer/rbac/bootstrappolicy)
 *
 * @param minor the minor version: 35
 * @param gates default: those of the release
 */
export function bootstrapPolicy(minor: number, gates?: FeatureGates): BootstrapPolicy {
  const release = releaseOf(minor, gates);
  const ofClusters = rolesOf(clusterRoles, release);
  const ofControllers = rolesOf(controllerRoles, release).map(
    ([account, rules]) => [`system:controller:${account}`, account, rules] as const,
  );
  return {
    clusterRoles: [
      ...aggregated.map((name) => ({ ...clusterRole(name), aggregationRule: aggregationRule(name) })),
      ...ofClusters.map(([name, rules]) => clusterRole(name, rules)),
      ...ofControllers.map(([name, , rules]) => clusterRole(name, rules)),
    ],
    clusterRoleBindings: [
      ...Object.entries(boundTo)
        .filter(([name]) => ofClusters.some(([role]) => role === name))
        .map(([name, subjects]) => clusterRoleBinding(name, subjects)),
      ...ofControllers.map(([name, account]) => clusterRoleBinding(name, serviceAccounts(account))),
    ],
    roles: Object.entries(namespaceRoles).flatMap(([namespace, table]) =>
      rolesOf(table, release).map(([name, rules]) => ({
        ...typeMeta('Role'),
        metadata: { ...defaultMetadata(name), namespace },
        rules,
      })),
    ),
    roleBindings: namespaceBindings.map(({ namespace, role, name = role, subjects }) => ({
      ...typeMeta('RoleBinding'),
      metadata: { ...defaultMetadata(name), namespace },
      subjects: [...subjects],
      roleRef: roleRef('Role', role),
    })),
  };
}

const typeMeta = (kind: string): { apiVersion: string; kind: string } => ({ apiVersion: `${rbacGroup}/v1`, kind });
const roleRef = (kind: string, name: string): RoleRef => ({ apiGroup: rbacGroup, kind, name });
const aggregationLabel = (name: string): string => `rbac.authorization.k8s.io/aggregate-to-${name}`;

const aggregationRule = (name: string): NonNullable<ClusterRole['aggregationRule']> => ({
  clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(name)]: 'true' } }],
});

function defaultMetadata(name: string): {
  name: string;
  annotations: Record<string, string>;
  labels: Record<string, string>;
} {
  return {
    name,
    annotations: { [autoUpdateAnnotation]: 'true' },
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  };
}

function clusterRole(name: string, rules?: readonly PolicyRule[]): ClusterRole {
  const metadata = defaultMetadata(name);
  const target = aggregatedTo[name];
  if (target !== undefined) metadata.labels[aggregationLabel(target)] = 'true';
  return { ...typeMeta('ClusterRole'), metadata, ...(rules === undefined ? {} : { rules: [...rules] }) };
}

function clusterRoleBinding(name: string, subjects: readonly Subject[]): ClusterRoleBinding {
  return {
    ...typeMeta('ClusterRoleBinding'),
    metadata: defaultMetadata(name),
    ...(subjects.length === 0 ? {} : { subjects: [...subjects] }),
    roleRef: roleRef('ClusterRole', name),
  };
}
