import type { Part } from '../../machinery/object.ts';
import { invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import type { Errors } from '../validation/fields.ts';

function validatePolicyRules(rules: readonly Part[], isNamespaced: boolean, path: FieldPath, errors: Errors): void {
  for (const [index, rule] of rules.entries()) {
    const at = path.index(index);
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    if (!rule.verbs?.length) errors.push(required(at.child('verbs'), 'verbs must contain at least one value'));
    if (nonResourceURLs.length > 0) {
      const urls = at.child('nonResourceURLs');
      if (isNamespaced) {
        errors.push(invalid(urls, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
      }
      if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        errors.push(invalid(urls, nonResourceURLs, detail));
      }
      continue;
    }
    if (apiGroups.length === 0) {
      errors.push(required(at.child('apiGroups'), 'resource rules must supply at least one api group'));
    }
    if (resources.length === 0) {
      errors.push(required(at.child('resources'), 'resource rules must supply at least one resource'));
    }
  }
}

export function validateRole(role: Part, path: FieldPath, errors: Errors): void {
  validatePolicyRules(role.rules ?? [], true, path.child('rules'), errors);
}

export function validateClusterRole(role: Part, path: FieldPath, errors: Errors): void {
  validatePolicyRules(role.rules ?? [], false, path.child('rules'), errors);
  if (role.aggregationRule && !role.aggregationRule.clusterRoleSelectors?.length) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    errors.push(required(path.child('aggregationRule', 'clusterRoleSelectors'), detail));
  }
}
