import type { Attributes } from '../../machinery/admission.ts';
import { timeout } from '../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { VersionedObjects } from '../conversion.ts';
import type { PluginConfiguration, PluginContext } from '../plugin.ts';
import { NamespaceMatcher } from '../predicates/namespace-matcher.ts';
import type { SelectedWrite } from '../predicates/object-matcher.ts';
import { isExemptAdmissionConfigurationResource } from '../predicates/rules.ts';
import type { AdmissionResponse } from './admission-review.ts';
import { callHook } from './call-hook.ts';
import { ClientManager } from './client-manager.ts';
import { loadWebhookUsers } from './configuration.ts';
import { HookSource, type PlannedHook, type WebhookConfiguration } from './hook-source.ts';
import { WebhookObserver } from './metrics.ts';
import { serviceResolver } from './service-resolver.ts';
import { meetsConditions, selects } from './should-call-hook.ts';

const none: readonly PlannedHook[] = [];

interface WebhookKind {
  /** The plural of the configurations. */
  readonly resource: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations';
  readonly mutating: boolean;
}

/** The common part of the two webhook plugins. (apiserver pkg/admission/plugin/webhook/generic) */
export class AdmissionWebhook {
  readonly #kind: WebhookKind;
  readonly #context: PluginContext;
  readonly #clients: ClientManager;
  readonly #namespaces: NamespaceMatcher;
  #source: HookSource | undefined;

  /** @throws Error if the configuration cannot be read */
  constructor(kind: WebhookKind, context: PluginContext, configuration?: PluginConfiguration) {
    this.#kind = kind;
    this.#context = context;
    this.#clients = new ClientManager(loadWebhookUsers(configuration), serviceResolver(context.stores));
    this.#namespaces = new NamespaceMatcher(context.stores);
  }

  /** See Plugin.handles. */
  handles(definition: ResourceDefinition): boolean {
    const { stores } = this.#context;
    return stores.serves('admissionregistration.k8s.io', 'v1', this.#kind.resource) && !isExemptAdmissionConfigurationResource(definition);
  }

  /** See Plugin.start. */
  async start(): Promise<void> {
    const { listers, stores, metrics } = this.#context;
    const { resource, mutating } = this.#kind;
    const step = mutating ? 'admit' : 'validating';
    const configurations = { group: 'admissionregistration.k8s.io', version: 'v1', resource };
    const lister = await listers.open<WebhookConfiguration>(configurations);
    await this.#namespaces.start();
    this.#source = new HookSource(lister, stores.registry, (name) => new WebhookObserver(name, step, metrics));
  }

  /** Returns the webhooks whose rules match such writes. */
  planFor(attributes: Attributes): readonly PlannedHook[] {
    return this.#source?.planFor(attributes) ?? none;
  }

  /** Reports whether the selectors of a webhook select the write. @throws StatusError if they cannot be evaluated */
  selects(planned: PlannedHook, attributes: SelectedWrite): boolean {
    return selects(planned, attributes, this.#namespaces);
  }

  /** Reports whether the match conditions of a webhook hold. @throws StatusError 403 if they cannot be evaluated */
  meetsConditions(planned: PlannedHook, attributes: Attributes, objects: VersionedObjects): Promise<boolean> {
    return meetsConditions(planned, attributes, objects, this.#context.authorizer);
  }

  /** Like `selects`, but returns true if the selectors cannot be evaluated. */
  maySelect(planned: PlannedHook, attributes: SelectedWrite): boolean {
    try {
      return this.selects(planned, attributes);
    } catch {
      return true;
    }
  }

  /** @throws StatusError 504 if the request has timed out */
  requireTime({ deadline }: Attributes): void {
    if (deadline === undefined || this.#context.clock.now() < deadline) return;
    throw timeout('request did not complete within requested timeout', 0);
  }

  /** Calls callHook outside of the write's turn, because the webhook may write the object itself. */
  call({ hook, matched }: PlannedHook, attributes: Attributes, objects: VersionedObjects): Promise<AdmissionResponse> {
    attributes.turn.yield();
    const { clock, stores } = this.#context;
    const { mutating } = this.#kind;
    return callHook(
      hook,
      { attributes, matched, objects },
      {
        clients: this.#clients,
        clock,
        random: stores.random,
        mutating,
      },
    );
  }
}
