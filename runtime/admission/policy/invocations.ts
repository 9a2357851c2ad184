import type { KubeObject } from '../../machinery/object.ts';
import type { MatchedResource } from '../predicates/match-rules.ts';
import { admittedNamespace } from '../predicates/namespace-matcher.ts';
import type { BindingHook, Candidate } from './hooks.ts';
import type { ParamReader, ParamSource } from './params.ts';
import { type Binding, configurationProblem, type Policy } from './policy.ts';
import type { PolicyRequest } from './policy-request.ts';

/** A policy to evaluate for a write, with one object of parameters. (policy/generic PolicyInvocation) */
export interface Invocation<P extends Policy, B extends Binding, E> {
  readonly policy: P;
  readonly binding: B;
  readonly evaluator: E;
  readonly matched: MatchedResource;
  /** The parameters; undefined if the policy or the binding has none. */
  readonly params: KubeObject | undefined;
}

/** The error that prevents the evaluation of a policy or a binding. */
export interface ConfigurationProblem<P extends Policy, B extends Binding> {
  readonly policy: P;
  readonly binding?: B;
  /** The message: "failed to configure policy: ...". */
  readonly message: string;
}

/**
 * Returns the policies that match a write, with their parameters. Call within `retryWhenArrived`. (policy/generic
 * policyDispatcher)
 *
 * @param candidates the candidates of the kind of write
 */
export function collectInvocations<P extends Policy, B extends Binding, E>(
  candidates: readonly Candidate<P, B, E>[],
  request: PolicyRequest,
  reader: ParamReader,
): Invocations<P, B, E> {
  const collector = new Invocations<P, B, E>(request, reader);
  for (const candidate of candidates) collector.collect(candidate);
  return collector;
}

export class Invocations<P extends Policy, B extends Binding, E> {
  readonly invocations: Invocation<P, B, E>[] = [];
  readonly problems: ConfigurationProblem<P, B>[] = [];
  readonly #request: PolicyRequest;
  readonly #reader: ParamReader;

  constructor(request: PolicyRequest, reader: ParamReader) {
    this.#request = request;
    this.#reader = reader;
  }

  collect({ hook, matched: kind, bindings }: Candidate<P, B, E>): void {
    const { attributes, waited } = this.#request;
    let matched: MatchedResource | undefined;
    let source: ParamSource | undefined;
    try {
      matched = hook.matcher.match(attributes, kind);
      if (matched === undefined) return;
      const paramKind = hook.policy.spec?.paramKind;
      source = paramKind && this.#reader.source(paramKind, waited);
    } catch (error) {
      const message = `failed to configure policy: ${configurationProblem(error)}`;
      this.problems.push({ policy: hook.policy, message });
      return;
    }
    for (const { hook: bound, matched: ofBinding } of bindings) {
      try {
        const params = this.#params(bound, ofBinding, source);
        if (params.length > 0) this.#request.versioned(matched);
        const { policy, evaluator } = hook;
        for (const one of params) {
          this.invocations.push({ policy, binding: bound.binding, evaluator, matched, params: one });
        }
      } catch (error) {
        const message = `failed to configure binding: ${configurationProblem(error)}`;
        this.problems.push({ policy: hook.policy, binding: bound.binding, message });
      }
    }
  }

  /** Returns the parameters of a binding; an empty list if the binding does not match. */
  #params(
    { binding, matcher }: BindingHook<B>,
    matched: MatchedResource,
    source: ParamSource | undefined,
  ): readonly (KubeObject | undefined)[] {
    const { attributes, waited } = this.#request;
    if (matcher.match(attributes, matched) === undefined) return [];
    return this.#reader.collect(source, binding.spec?.paramRef, admittedNamespace(attributes), waited);
  }
}
