import type { MatchResources, NamedRuleWithOperations } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import type { OperationKey } from '../operation-cache.ts';
import type { EquivalentResources } from '../predicates/equivalent-resources.ts';
import { type MatchedResource, matchRules, type NamedWrite, requestedResource } from '../predicates/match-rules.ts';
import type { NamespaceMatcher } from '../predicates/namespace-matcher.ts';
import { matchesObject } from '../predicates/object-matcher.ts';

/** Matches writes with the rules of a policy or a binding. (policy/matching Matcher) */
export class ResourceMatcher {
  readonly #resources: MatchResources;
  readonly #equivalents: EquivalentResources;
  readonly #namespaces: NamespaceMatcher;
  readonly #namespaceSelector: ReturnType<typeof labelSelectorFromObject>;
  readonly #objectSelector: ReturnType<typeof labelSelectorFromObject>;
  /** Whether the rules select objects by name. */
  readonly #named: boolean;

  constructor(resources: MatchResources, equivalents: EquivalentResources, namespaces: NamespaceMatcher) {
    const { namespaceSelector = {}, objectSelector = {}, resourceRules = [], excludeResourceRules = [] } = resources;
    this.#resources = resources;
    this.#equivalents = equivalents;
    this.#namespaces = namespaces;
    this.#namespaceSelector = labelSelectorFromObject(namespaceSelector);
    this.#objectSelector = labelSelectorFromObject(objectSelector);
    this.#named = [...resourceRules, ...excludeResourceRules].some(({ resourceNames }) => resourceNames?.length);
  }

  /** Returns the matched resource if suitable names and labels would match; undefined if no object can match. */
  matchKind(write: OperationKey): MatchedResource | undefined {
    if (!this.#named) return this.#matchRules(write);
    const { resourceRules = [], matchPolicy } = this.#resources;
    const rules = resourceRules.map(({ resourceNames: _, ...rule }): NamedRuleWithOperations => rule);
    return resourceRules.length === 0 ? requestedResource(write) : matchRules({ rules, matchPolicy }, write, this.#equivalents);
  }

  /**
   * Returns the matched resource; undefined if the write does not match.
   *
   * @param kind the result of matchKind
   * @throws StatusError 404 if the namespace does not exist
   */
  match(attributes: Attributes, kind: MatchedResource): MatchedResource | undefined {
    if (!matchesObject(this.#objectSelector, attributes)) return undefined;
    const matched = this.#named ? this.#matchRules(attributes) : kind;
    return matched && this.#namespaces.matches(this.#namespaceSelector, attributes) ? matched : undefined;
  }

  #matchRules(write: NamedWrite): MatchedResource | undefined {
    const { resourceRules = [], excludeResourceRules: rules, matchPolicy } = this.#resources;
    if (matchRules({ rules, matchPolicy }, write, this.#equivalents) !== undefined) return undefined;
    if (resourceRules.length === 0) return requestedResource(write);
    return matchRules({ rules: resourceRules, matchPolicy }, write, this.#equivalents);
  }
}
