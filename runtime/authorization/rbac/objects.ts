import type * as rbac from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';

/** The RBAC objects, at v1. */
export type PolicyRule = rbac.PolicyRule;
export type Subject = rbac.Subject;
export type RoleRef = rbac.RoleRef;
export type Role = rbac.Role;
export type ClusterRole = rbac.ClusterRole;
export type RoleBinding = rbac.RoleBinding;
export type ClusterRoleBinding = rbac.ClusterRoleBinding;

export const rbacGroup = 'rbac.authorization.k8s.io';
