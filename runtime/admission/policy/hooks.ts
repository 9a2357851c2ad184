import type { Lister } from '../../resources/lister.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';
import { OperationCache, type OperationKey } from '../operation-cache.ts';
import { EquivalentResources } from '../predicates/equivalent-resources.ts';
import type { MatchedResource } from '../predicates/match-rules.ts';
import type { NamespaceMatcher } from '../predicates/namespace-matcher.ts';
import { type Binding, nameOf, type Policy } from './policy.ts';
import { ResourceMatcher } from './resource-matcher.ts';

/** A policy with its compiled expressions and its bindings. (policy/generic PolicyHook) */
export interface Hook<P extends Policy, B extends Binding, E> {
  readonly policy: P;
  readonly evaluator: E;
  readonly matcher: ResourceMatcher;
  readonly bindings: readonly BindingHook<B>[];
}

export interface BindingHook<B extends Binding> {
  readonly binding: B;
  readonly matcher: ResourceMatcher;
}

/** A policy that may match a kind of write, with the bindings that may. */
export interface Candidate<P extends Policy, B extends Binding, E> {
  readonly hook: Hook<P, B, E>;
  readonly matched: MatchedResource;
  readonly bindings: readonly { readonly hook: BindingHook<B>; readonly matched: MatchedResource }[];
}

interface HooksOptions<P extends Policy, B extends Binding, E> {
  readonly policies: Lister<P>;
  readonly bindings: Lister<B>;
  readonly registry: ResourceRegistry;
  readonly namespaces: NamespaceMatcher;
  compile(policy: P): E;
}

const none: readonly never[] = [];

/**
 * The policies with bindings, each compiled once for each version of the object. The candidates of a kind of write are
 * determined once until any of these objects changes. (policy/generic policySource)
 */
export class Hooks<P extends Policy, B extends Binding, E> {
  readonly #options: HooksOptions<P, B, E>;
  readonly #equivalents: EquivalentResources;
  readonly #evaluators = new WeakMap<P, E>();
  readonly #matchers = new WeakMap<P | B, ResourceMatcher>();
  readonly #candidates = new OperationCache<readonly Candidate<P, B, E>[]>();
  #policies: readonly P[] = none;
  #bindings: readonly B[] = none;
  #generation = -1;
  #hooks: readonly Hook<P, B, E>[] = none;

  constructor(options: HooksOptions<P, B, E>) {
    this.#options = options;
    this.#equivalents = new EquivalentResources(options.registry);
  }

  /** Returns the candidates in the order of their names. */
  candidates(write: OperationKey): readonly Candidate<P, B, E>[] {
    this.#refresh();
    if (this.#hooks.length === 0) return none;
    let found = this.#candidates.get(write);
    if (found === undefined) {
      found = this.#find(write);
      this.#candidates.set(write, found);
    }
    return found;
  }

  #find(write: OperationKey): readonly Candidate<P, B, E>[] {
    const found: Candidate<P, B, E>[] = [];
    for (const hook of this.#hooks) {
      const matched = hook.matcher.matchKind(write);
      if (matched === undefined) continue;
      const bindings = hook.bindings.flatMap((binding) => {
        const bound = binding.matcher.matchKind(write);
        return bound === undefined ? [] : [{ hook: binding, matched: bound }];
      });
      found.push({ hook, matched, bindings });
    }
    return found;
  }

  #refresh(): void {
    const { policies, bindings, registry } = this.#options;
    const [allPolicies, allBindings] = [policies.list(), bindings.list()];
    const generation = registry.generation();
    const isSame = allPolicies === this.#policies && allBindings === this.#bindings;
    if (isSame && generation === this.#generation) return;
    this.#generation = generation;
    this.#candidates.clear();
    if (isSame) return;
    this.#policies = allPolicies;
    this.#bindings = allBindings;
    this.#hooks = this.#pair();
  }

  /** Pairs policies with their bindings. Leaves out policies without any. */
  #pair(): readonly Hook<P, B, E>[] {
    const bound = new Map<string, BindingHook<B>[]>();
    for (const binding of this.#bindings) {
      const { policyName = '', matchResources = {} } = binding.spec ?? {};
      const hook = { binding, matcher: this.#matcher(binding, matchResources) };
      const others = bound.get(policyName);
      if (others === undefined) bound.set(policyName, [hook]);
      else others.push(hook);
    }
    return this.#policies.flatMap((policy) => {
      const bindings = bound.get(nameOf(policy));
      if (bindings === undefined) return [];
      const matcher = this.#matcher(policy, policy.spec?.matchConstraints ?? {});
      return [{ policy, evaluator: this.#evaluator(policy), matcher, bindings }];
    });
  }

  #evaluator(policy: P): E {
    let evaluator = this.#evaluators.get(policy);
    if (evaluator === undefined) {
      evaluator = this.#options.compile(policy);
      this.#evaluators.set(policy, evaluator);
    }
    return evaluator;
  }

  #matcher(owner: P | B, resources: ConstructorParameters<typeof ResourceMatcher>[0]): ResourceMatcher {
    let matcher = this.#matchers.get(owner);
    if (matcher === undefined) {
      matcher = new ResourceMatcher(resources, this.#equivalents, this.#options.namespaces);
      this.#matchers.set(owner, matcher);
    }
    return matcher;
  }
}
