import type { AggregationRule, ClusterRole, PolicyRule } from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';

/** Returns the selectors of a role. @throws SelectorError */
export const roleSelectors = ({ clusterRoleSelectors }: AggregationRule): LabelSelector[] =>
  (clusterRoleSelectors ?? []).map(labelSelectorFromObject);

/** Returns the rules of roles, each rule once. */
export function unionOfRules(roles: readonly ClusterRole[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const role of roles) {
    for (const rule of role.rules ?? []) {
      const key = textOf(rule);
      if (!rules.has(key)) rules.set(key, rule);
    }
  }
  return [...rules.values()];
}

/** Returns a key of a rule. Rules that differ only in whether a list is empty or absent have the same key. */
const textOf = ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
