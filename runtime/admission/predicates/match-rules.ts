import type { NamedRuleWithOperations } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { GroupVersionKind } from '../../machinery/gvk.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { OperationKey } from '../operation-cache.ts';
import type { EquivalentResources } from './equivalent-resources.ts';
import { matchesRule } from './rules.ts';

/** The rules of a webhook or a policy. */
export interface RuleSet {
  readonly rules?: readonly NamedRuleWithOperations[] | undefined;
  /** Default: Exact. */
  readonly matchPolicy?: string | undefined;
}

/** A kind of write with a name for rules with resourceNames, which only policies have. */
export interface NamedWrite extends OperationKey {
  readonly name?: string;
}

/** The resource that a rule matched: the requested one, or an equivalent one. */
export interface MatchedResource {
  readonly facts: ResourceFacts;
  /** The admitted kind at this version: the resource's or its subresource's. */
  readonly kind: GroupVersionKind;
  /** The equivalent resource; absent for the requested resource itself. */
  readonly equivalent?: RegistryEntry;
}

/**
 * Returns the resource by which rules match a write; undefined if they do not match. Tries all rules on the requested
 * resource first, then equivalent resources in the order of the rules. (generic.Webhook ShouldCallHook, policy/matching
 * matchesResourceRules)
 */
export function matchRules(
  { rules = [], matchPolicy }: RuleSet,
  write: NamedWrite,
  equivalents: EquivalentResources,
): MatchedResource | undefined {
  const { definition, subresource } = write;
  if (rules.some((rule) => matches(rule, definition, write))) return requestedResource(write);
  if (matchPolicy !== 'Equivalent') return undefined;
  const others = equivalents.of(definition, subresource);
  if (others.length === 0) return undefined;
  for (const rule of rules) {
    const equivalent = others.find(({ facts }) => matches(rule, facts, write));
    if (equivalent === undefined) continue;
    return { facts: equivalent.facts, kind: kindOf(equivalent.facts, subresource), equivalent };
  }
  return undefined;
}

/** Returns the requested resource as a match, for hooks without rules. */
export const requestedResource = ({ definition, subresource }: OperationKey): MatchedResource => ({
  facts: definition,
  kind: kindOf(definition, subresource),
});

function matches(rule: NamedRuleWithOperations, facts: ResourceFacts, write: NamedWrite): boolean {
  const { group, version, resource, namespaced } = facts;
  const { operation, subresource, name = '' } = write;
  if (!matchesRule(rule, { group, version, resource, namespaced, operation, subresource })) return false;
  return !rule.resourceNames?.length || rule.resourceNames.includes(name);
}

function kindOf(facts: ResourceFacts, subresource: string): GroupVersionKind {
  const { gvk } = facts.subresources.find(({ name }) => name === subresource) ?? { gvk: facts };
  return { group: gvk.group, version: gvk.version, kind: gvk.kind };
}
