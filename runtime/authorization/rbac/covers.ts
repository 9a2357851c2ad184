import { checkEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { trimStars } from './compiled-rules.ts';
import type { PolicyRule } from './objects.ts';

/** The maximum number of uncovered rules in a result. One rule expands to the product of the lengths of its lists. */
export const maxUncovered = 10_000;

/** Microseconds to compare a rule with one that may cover it. */
const comparisonCost = 0.1;

/** A rule of the owner, with its lists as sets. */
interface OwnerRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  /** Empty for all names. */
  readonly resourceNames: ReadonlySet<string>;
  readonly nonResourceURLs: readonly string[];
}

/** A rule for one verb and either one resource of one API group, with one name or all names, or one URL. */
interface Subrule {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  /** The subresource of any resource: `*\/scale`. */
  readonly anyWithSubresource?: string | undefined;
  readonly name?: string | undefined;
  readonly url?: string;
}

/**
 * Returns the rules that the owner's rules do not cover, each expanded to one verb and one resource or URL.
 * (component-helpers auth/rbac/validation Covers)
 *
 * @throws EventLoopBudgetError if there are very many combinations
 */
export function uncoveredRules(owner: readonly PolicyRule[], rules: readonly Unvalidated<PolicyRule>[]): PolicyRule[] {
  const owners = owner.map(ownerRule);
  const uncovered: PolicyRule[] = [];
  const comparisonsOfOne = 1 + owners.length + owners.reduce((sum, { nonResourceURLs }) => sum + nonResourceURLs.length, 0);
  let comparisons = 0;
  for (const rule of rules) {
    for (const subrule of subrulesOf(rule)) {
      comparisons += comparisonsOfOne;
      checkEventLoopBudget(comparisons * comparisonCost);
      if (owners.some((one) => covers(one, subrule))) continue;
      uncovered.push(policyRule(subrule));
      if (uncovered.length === maxUncovered) return uncovered;
    }
  }
  return uncovered;
}

function ownerRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): OwnerRule {
  return {
    verbs: new Set(verbs),
    apiGroups: new Set(apiGroups),
    resources: new Set(resources),
    resourceNames: new Set(resourceNames),
    nonResourceURLs: nonResourceURLs ?? [],
  };
}

/** (BreakdownRule) */
function* subrulesOf(rule: Unvalidated<PolicyRule>): Iterable<Subrule> {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const names = resourceNames?.length ? resourceNames : [undefined];
  for (const group of apiGroups ?? []) {
    for (const resource of resources ?? []) {
      const slash = resource.indexOf('/');
      const anyWithSubresource = slash < 0 ? undefined : `*${resource.slice(slash)}`;
      for (const verb of verbs ?? []) for (const name of names) yield { verb, group, resource, anyWithSubresource, name };
    }
  }
  for (const url of nonResourceURLs ?? []) for (const verb of verbs ?? []) yield { verb, url };
}

function covers(owner: OwnerRule, { verb, group, resource, anyWithSubresource, name, url }: Subrule): boolean {
  if (!owner.verbs.has(verb) && !owner.verbs.has('*')) return false;
  if (owner.resourceNames.size > 0 && (name === undefined || !owner.resourceNames.has(name))) return false;
  if (url !== undefined) return owner.nonResourceURLs.some((one) => coversURL(one, url));
  if (!owner.apiGroups.has(group as string) && !owner.apiGroups.has('*')) return false;
  return (
    owner.resources.has(resource as string) ||
    owner.resources.has('*') ||
    (anyWithSubresource !== undefined && owner.resources.has(anyWithSubresource))
  );
}

const coversURL = (owner: string, url: string): boolean => owner === url || (owner.endsWith('*') && url.startsWith(trimStars(owner)));

function policyRule({ verb, group = '', resource = '', name, url }: Subrule): PolicyRule {
  if (url !== undefined) return { verbs: [verb], nonResourceURLs: [url] };
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [resource],
    ...(name === undefined ? {} : { resourceNames: [name] }),
  };
}
