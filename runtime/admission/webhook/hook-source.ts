import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Lister } from '../../resources/lister.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';
import { OperationCache, type OperationKey } from '../operation-cache.ts';
import { EquivalentResources } from '../predicates/equivalent-resources.ts';
import { type MatchedResource, matchRules } from '../predicates/match-rules.ts';
import { WebhookAccessor } from './accessor.ts';
import type { WebhookObserver } from './metrics.ts';

export type WebhookConfiguration = KubeObject & (MutatingWebhookConfiguration | ValidatingWebhookConfiguration);

/** A webhook whose rules match a kind of write. */
export interface PlannedHook {
  readonly hook: WebhookAccessor;
  readonly matched: MatchedResource;
  /** The place of the webhook among all webhooks. */
  readonly index: number;
}

const none: readonly PlannedHook[] = [];

/**
 * The webhooks of all configurations, in the order of the configurations' names. The webhooks for a kind of write are
 * determined once, until a configuration or the served resources change. (apiserver pkg/admission/configuration)
 */
export class HookSource {
  readonly #lister: Lister<WebhookConfiguration>;
  readonly #registry: ResourceRegistry;
  readonly #observer: (webhookName: string) => WebhookObserver;
  readonly #equivalents: EquivalentResources;
  readonly #accessors = new WeakMap<WebhookConfiguration, readonly WebhookAccessor[]>();
  readonly #plans = new OperationCache<readonly PlannedHook[]>();
  #configurations: readonly WebhookConfiguration[] = [];
  #hooks: readonly WebhookAccessor[] = [];
  #generation = 0;

  /** @param observer returns the observer of calls of a webhook with this name */
  constructor(lister: Lister<WebhookConfiguration>, registry: ResourceRegistry, observer: (webhookName: string) => WebhookObserver) {
    this.#lister = lister;
    this.#registry = registry;
    this.#observer = observer;
    this.#equivalents = new EquivalentResources(registry);
  }

  /** Returns the webhooks whose rules match such writes. */
  planFor(write: OperationKey): readonly PlannedHook[] {
    this.#refresh();
    if (this.#hooks.length === 0) return none;
    let plan = this.#plans.get(write);
    if (plan === undefined) {
      plan = this.#hooks.flatMap((hook, index) => {
        const matched = matchRules(hook.webhook, write, this.#equivalents);
        return matched === undefined ? [] : [{ hook, matched, index }];
      });
      this.#plans.set(write, plan);
    }
    return plan;
  }

  #refresh(): void {
    const configurations = this.#lister.list();
    const generation = this.#registry.generation();
    if (configurations === this.#configurations && generation === this.#generation) return;
    this.#plans.clear();
    this.#generation = generation;
    this.#configurations = configurations;
    this.#hooks = configurations.flatMap((one) => this.#accessorsOf(one));
  }

  #accessorsOf(configuration: WebhookConfiguration): readonly WebhookAccessor[] {
    const known = this.#accessors.get(configuration);
    if (known !== undefined) return known;
    const duplicates = new Map<string, number>();
    const configurationName = configuration.metadata.name ?? '';
    const webhooks: readonly MutatingWebhook[] = configuration.webhooks ?? [];
    const made = webhooks.map((webhook) => {
      const duplicate = duplicates.get(webhook.name) ?? 0;
      duplicates.set(webhook.name, duplicate + 1);
      return new WebhookAccessor(webhook, { configurationName, duplicate, observer: this.#observer(webhook.name) });
    });
    this.#accessors.set(configuration, made);
    return made;
  }
}
