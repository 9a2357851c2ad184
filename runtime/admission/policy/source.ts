import type { Attributes } from '../../machinery/admission.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Lister } from '../../resources/lister.ts';
import type { PluginContext } from '../plugin.ts';
import { NamespaceMatcher } from '../predicates/namespace-matcher.ts';
import { type Candidate, Hooks } from './hooks.ts';
import { collectInvocations, type Invocations } from './invocations.ts';
import { ParamReader } from './params.ts';
import type { Binding, Policy } from './policy.ts';
import { PolicyRequest } from './policy-request.ts';

const group = 'admissionregistration.k8s.io';

interface SourceOptions<P extends Policy, E> {
  /** The plural of the policies: `validatingadmissionpolicies`. */
  readonly policies: string;
  readonly bindings: string;
  readonly version: string;
  compile(policy: P): E;
}

/** The policies of one kind, for a plugin. (policy/generic Plugin) */
export class PolicySource<P extends Policy, B extends Binding, E> {
  readonly #context: PluginContext;
  readonly #options: SourceOptions<P, E>;
  readonly #params: ParamReader;
  #namespaces: Lister<KubeObject> | undefined;
  #hooks: Hooks<P, B, E> | undefined;

  constructor(context: PluginContext, options: SourceOptions<P, E>) {
    this.#context = context;
    this.#options = options;
    this.#params = new ParamReader(context.stores, context.mapper);
  }

  /** Whether the server serves policies of this kind. */
  get isServed(): boolean {
    const { policies, version } = this.#options;
    return this.#context.stores.serves(group, version, policies);
  }

  async start(): Promise<void> {
    const { listers, stores } = this.#context;
    const { policies, bindings, version, compile } = this.#options;
    const open = <T extends KubeObject>(resource: string): Promise<Lister<T>> => listers.open<T>({ group, version, resource });
    const namespaces = new NamespaceMatcher(stores);
    const core: GroupVersionResource = { group: '', version: 'v1', resource: 'namespaces' };
    await namespaces.start();
    this.#namespaces = await listers.open(core);
    this.#hooks = new Hooks({
      policies: await open<P>(policies),
      bindings: await open<B>(bindings),
      namespaces,
      compile,
      registry: stores.registry,
    });
  }

  /** Returns the policies that this kind of write may match. Call only after `start`. */
  candidates(attributes: Attributes): readonly Candidate<P, B, E>[] {
    return (this.#hooks as Hooks<P, B, E>).candidates(attributes);
  }

  request(attributes: Attributes): PolicyRequest {
    return new PolicyRequest(attributes, this.#context.authorizer, this.#namespaces as Lister<KubeObject>);
  }

  /** Call within `retryWhenArrived`. */
  collect(candidates: readonly Candidate<P, B, E>[], request: PolicyRequest): Invocations<P, B, E> {
    return collectInvocations(candidates, request, this.#params);
  }
}
