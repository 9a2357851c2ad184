import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { Plugin, PluginConfiguration, PluginContext, PluginFactory } from '../../plugin.ts';
import { ReinvokeContexts } from '../../reinvocation.ts';
import { AdmissionWebhook } from '../../webhook/admission-webhook.ts';
import type { PlannedHook } from '../../webhook/hook-source.ts';
import { callMutatingHook } from './call-mutating-hook.ts';
import { VersionedAttributes } from './versioned-attributes.ts';

export const newMutatingWebhook: PluginFactory = (context, configuration) => new MutatingAdmissionWebhook(context, configuration);

/**
 * Calls mutating webhooks one after the other, in the order of their configurations' names. (apiserver
 * pkg/admission/plugin/webhook/mutating)
 */
class MutatingAdmissionWebhook implements Plugin {
  readonly #webhook: AdmissionWebhook;
  readonly #reinvocations = new ReinvokeContexts();

  constructor(context: PluginContext, configuration?: PluginConfiguration) {
    const kind = { resource: 'mutatingwebhookconfigurations', mutating: true } as const;
    this.#webhook = new AdmissionWebhook(kind, context, configuration);
  }

  handles(_operation: Operation, definition: ResourceDefinition): boolean {
    return this.#webhook.handles(definition);
  }

  start(): Promise<void> {
    return this.#webhook.start();
  }

  admit(attributes: Attributes): void | Promise<void> {
    const plan = this.#webhook.planFor(attributes);
    // only webhooks change the labels that selectors see: if none is selected now, none will be
    if (plan.some((planned) => this.#webhook.maySelect(planned, attributes))) return this.#dispatch(plan, attributes);
  }

  /** (mutatingDispatcher Dispatch) */
  async #dispatch(plan: readonly PlannedHook[], attributes: Attributes): Promise<void> {
    const { reinvocation } = attributes;
    const webhooks = this.#reinvocations.of(attributes);
    webhooks.noticeChanges(attributes);
    const versioned = new VersionedAttributes(attributes);
    for (const planned of plan) {
      const { hook, matched } = planned;
      if (!this.#webhook.selects(planned, versioned.newest)) continue;
      if (hook.matchConditions !== undefined) {
        const objects = await versioned.at(matched);
        if (!(await this.#webhook.meetsConditions(planned, attributes, objects))) continue;
      }
      // a webhook that was not called in the first round is not called in the second
      if (reinvocation.isRunning && !webhooks.shouldReinvoke(hook.uid)) continue;
      const changed = await callMutatingHook(this.#webhook, planned, { attributes, versioned });
      if (changed) {
        webhooks.requireReinvocation();
        reinvocation.isNeeded = true;
      }
      if (hook.webhook.reinvocationPolicy === 'IfNeeded') webhooks.addReinvocable(hook.uid);
    }
    await versioned.finish();
    webhooks.setOutput(attributes);
  }
}
