import { aggregate } from '../../machinery/errors/aggregate.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { uncoveredRules } from './covers.ts';
import { type PolicyRule, type RoleRef, rbacGroup } from './objects.ts';
import type { AuthorizationRuleResolver } from './rule-resolver.ts';

/** The maximum length of the list of missing rules, in UTF-16 units. */
const maxListLength = 32 * 1024;

/**
 * Returns the error of a user who grants permissions that they lack. (pkg/registry/rbac/validation ConfirmNoEscalation)
 *
 * @param namespace "" for the cluster
 * @returns the missing permissions; undefined if there are none
 * @throws EventLoopBudgetError if the rules expand to very many combinations
 */
export function escalation(
  resolver: AuthorizationRuleResolver,
  user: UserInfo,
  namespace: string,
  rules: readonly Unvalidated<PolicyRule>[],
): string | undefined {
  const { rules: own, missing } = resolver.rulesFor(user, namespace);
  const uncovered = uncoveredRules(own, rules);
  if (uncovered.length === 0) return undefined;
  const who = `user ${quote(user.name)} (groups=${quoteAll(user.groups)})`;
  const lacks = listOf(compactRules(uncovered).map(compactString));
  const errors = missing.length === 0 ? '' : `; resolution errors: [${aggregate(missing.map(roleNotFound))}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lacks}${errors}`;
}

/** Returns the message of upstream's storage. */
const roleNotFound = ({ kind, name }: RoleRef): string => `${kind.toLowerCase()}s.${rbacGroup} ${quote(name)} not found`;

function listOf(descriptions: readonly string[]): string {
  const sorted = [...new Set(descriptions)].sort(compareStrings);
  let length = 0;
  const shown = sorted.filter((line) => {
    length += line.length + 1;
    return length <= maxListLength;
  });
  return [...shown, ...(shown.length < sorted.length ? [`... (${sorted.length - shown.length} more)`] : [])].join('\n');
}

/** Joins the verbs of rules for the same resource and name. (CompactRules) */
function compactRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    if (nonResourceURLs !== undefined) {
      compacted.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = byResource.get(key);
    if (known === undefined) byResource.set(key, { ...rule, verbs: [...rule.verbs] });
    else known.verbs.push(...rule.verbs);
  }
  return [...compacted, ...byResource.values()];
}

/** Returns `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`. (rbacv1helpers.CompactString) */
function compactString({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ] as const;
  return `{${parts.flatMap(([name, list]) => (list?.length ? `${name}:${quoteAll(list)}` : [])).join(', ')}}`;
}

/** Formats a list as Go's %q. */
const quoteAll = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
