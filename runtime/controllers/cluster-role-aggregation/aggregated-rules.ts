import type {
  AggregationRule,
  ClusterRole,
  PolicyRule,
} from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';
import { stableText } from '../../machinery/json/equality.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';

/**
 * The rules of all roles that the selectors select, each rule once, in the order of the selectors and of the roles' names.
 *
 * @param select returns the roles whose labels match, in the order of their names
 */
export function aggregatedRules(
  { clusterRoleSelectors = [] }: AggregationRule,
  select: (matches: (labels: Readonly<Record<string, string>>) => boolean) => readonly ClusterRole[],
): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const each of clusterRoleSelectors) {
    const selector = labelSelectorFromObject(each);
    for (const role of select((labels) => selector.matches(labels))) {
      for (const rule of role.rules ?? []) {
        const key = textOf(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Rules that differ only in whether a list is empty or absent are the same. */
const textOf = (rule: PolicyRule): string =>
  stableText(Object.fromEntries(Object.entries(rule).filter(([, list]) => list.length > 0)));
