import type { Attributes, Operation } from '../../machinery/admission.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { objectsAt, type VersionedObjects } from '../conversion.ts';
import type { Plugin, PluginConfiguration, PluginContext, PluginFactory } from '../plugin.ts';
import type { MatchedResource } from '../predicates/match-rules.ts';
import { AdmissionWebhook } from '../webhook/admission-webhook.ts';
import type { PlannedHook } from '../webhook/hook-source.ts';
import { observedCall } from '../webhook/observed-call.ts';

export const newValidatingWebhook: PluginFactory = (context, configuration) => new ValidatingAdmissionWebhook(context, configuration);

const failedOpenPrefix = 'failed-open.validating.webhook.admission.k8s.io/';

interface Invocation {
  readonly planned: PlannedHook;
  readonly objects: VersionedObjects;
}

/** Calls validating webhooks in parallel. (apiserver pkg/admission/plugin/webhook/validating) */
class ValidatingAdmissionWebhook implements Plugin {
  readonly #webhook: AdmissionWebhook;

  constructor(context: PluginContext, configuration?: PluginConfiguration) {
    const kind = { resource: 'validatingwebhookconfigurations', mutating: false } as const;
    this.#webhook = new AdmissionWebhook(kind, context, configuration);
  }

  handles(_operation: Operation, definition: ResourceDefinition): boolean {
    return this.#webhook.handles(definition);
  }

  start(): Promise<void> {
    return this.#webhook.start();
  }

  /** @throws StatusError if a selector cannot be evaluated */
  validate(attributes: Attributes): void | Promise<void> {
    const plan = this.#webhook.planFor(attributes);
    if (plan.length === 0) return;
    const selected = plan.filter((planned) => this.#webhook.selects(planned, attributes));
    if (selected.length > 0) return this.#dispatch(selected, attributes);
  }

  /** Waits for all webhooks, and throws the first error. (validatingDispatcher Dispatch) */
  async #dispatch(selected: readonly PlannedHook[], attributes: Attributes): Promise<void> {
    const invocations = await this.#relevant(selected, attributes);
    if (invocations.length === 0) return;
    this.#webhook.requireTime(attributes);
    const errors: unknown[] = [];
    const call = (invocation: Invocation, index: number): Promise<void> =>
      this.#call(invocation, attributes, index).catch((error: unknown) => void errors.push(error));
    await Promise.all(invocations.map(call));
    if (errors.length > 0) throw errors[0];
  }

  /** Returns the webhooks whose match conditions hold, with the objects at their versions. */
  async #relevant(selected: readonly PlannedHook[], attributes: Attributes): Promise<Invocation[]> {
    const versions = new Map<MatchedResource['equivalent'], VersionedObjects>();
    const relevant: Invocation[] = [];
    for (const planned of selected) {
      const { equivalent } = planned.matched;
      const objects = versions.get(equivalent) ?? (await objectsAt(attributes, equivalent));
      versions.set(equivalent, objects);
      if (planned.hook.matchConditions === undefined) relevant.push({ planned, objects });
      else if (await this.#webhook.meetsConditions(planned, attributes, objects)) relevant.push({ planned, objects });
    }
    return relevant;
  }

  async #call({ planned, objects }: Invocation, attributes: Attributes, index: number): Promise<void> {
    const { hook } = planned;
    const outcome = await observedCall(hook, attributes.operation, async () => {
      await this.#webhook.call(planned, attributes, objects);
    });
    if (outcome === 'failed-open') {
      attributes.addAnnotation(`${failedOpenPrefix}round_0_index_${index}`, hook.webhook.name);
    }
  }
}
