import type * as rbac from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateLabelSelector } from '../validation/labels.ts';

type PolicyRules = readonly Unvalidated<rbac.PolicyRule>[] | null | undefined;

/** (ValidatePolicyRule, pkg/apis/rbac/validation/validation.go) */
function validatePolicyRules(rules: PolicyRules, isNamespaced: boolean, field: Field): void {
  for (const [index, rule] of (rules ?? []).entries()) {
    const at = field.index(index);
    const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    if (!verbs?.length) at.child('verbs').required('verbs must contain at least one value');
    if (nonResourceURLs.length > 0) {
      const urls = at.child('nonResourceURLs');
      if (isNamespaced) {
        urls.invalid(nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
      }
      if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        urls.invalid(nonResourceURLs, detail);
      }
      continue;
    }
    if (apiGroups.length === 0) {
      at.child('apiGroups').required('resource rules must supply at least one api group');
    }
    if (resources.length === 0) {
      at.child('resources').required('resource rules must supply at least one resource');
    }
  }
}

export function validateRole({ rules }: Unvalidated<rbac.Role>, field: Field): void {
  validatePolicyRules(rules, true, field.child('rules'));
}

export function validateClusterRole({ rules, aggregationRule }: Unvalidated<rbac.ClusterRole>, field: Field): void {
  validatePolicyRules(rules, false, field.child('rules'));
  if (!aggregationRule) return;
  const at = field.child('aggregationRule', 'clusterRoleSelectors');
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) at.required('at least one clusterRoleSelector required if aggregationRule is non-nil');
  for (const [index, selector] of selectors.entries()) {
    const before = at.errors.length;
    validateLabelSelector(selector, at.index(index));
    if (at.errors.length > before) at.index(index).invalid(null, 'invalid label selector.');
  }
}
