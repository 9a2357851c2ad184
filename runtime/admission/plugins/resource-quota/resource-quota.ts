import type { ResourceQuota } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes, Operation } from '../../../machinery/admission.ts';
import type { Clock } from '../../../machinery/clock.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { Lister, Listers } from '../../../resources/lister.ts';
import type { ResourceStores } from '../../../resources/stores.ts';
import type { Plugin, PluginContext, PluginFactory } from '../../plugin.ts';
import type { QuotaReservations } from '../../quota/accountant.ts';
import { isRefusal, type LimitedResource, type QuotaRequest, refusalError } from '../../quota/check-request.ts';
import type { Evaluator } from '../../quota/evaluator.ts';
import type { ReserveResult } from '../../quota/namespace-account.ts';
import { evaluatorOf } from '../../quota/registry.ts';
import { decodeResourceQuotaConfiguration } from './configuration.ts';

export const newResourceQuota: PluginFactory = (context, configuration) =>
  new QuotaAdmission(context, configuration ? decodeResourceQuotaConfiguration(configuration.bytes) : []);

/** Refuses writes that would exceed a quota of their namespace. (apiserver pkg/admission/plugin/resourcequota) */
export class QuotaAdmission implements Plugin {
  readonly #stores: ResourceStores;
  readonly #listers: Listers;
  readonly #clock: Clock;
  readonly #reservations: QuotaReservations;
  readonly #limitedResources: readonly LimitedResource[];
  #quotas: Lister<ResourceQuota> | undefined;

  constructor(
    { stores, listers, clock, quota }: Pick<PluginContext, 'stores' | 'listers' | 'clock' | 'quota'>,
    limitedResources: readonly LimitedResource[],
  ) {
    this.#stores = stores;
    this.#listers = listers;
    this.#clock = clock;
    this.#reservations = quota;
    this.#limitedResources = limitedResources;
  }

  handles(operation: Operation, { namespaced, group, resource }: ResourceDefinition, subresource: string): boolean {
    // another server keeps its own quotas
    if (!namespaced || !this.#stores.serves('', 'v1', 'resourcequotas')) return false;
    return evaluatorOf(group, resource)?.handles(operation, subresource) === true;
  }

  async start(): Promise<void> {
    this.#quotas = await this.#listers.open({ group: '', version: 'v1', resource: 'resourcequotas' });
    await this.#reservations.open();
  }

  validate(attributes: Attributes): void | Promise<void> {
    const { namespace, definition, subresource, object, oldObject } = attributes;
    const isBounded = this.#limitedResources.length > 0 || this.#quotas?.list(namespace).length;
    if (!isBounded || object === undefined) return;
    const evaluator = evaluatorOf(definition.group, definition.resource);
    if (evaluator === undefined) return;
    if (oldObject && subresource === '' && evaluator.handlesUpdate?.(object, oldObject) === false) return;
    const request = this.#requestOf(attributes, object, evaluator);
    const result = this.#reservations.reserve(request);
    if (result instanceof Promise) return result.then((reserved) => this.#finish(attributes, request, reserved));
    this.#finish(attributes, request, result);
  }

  #requestOf(attributes: Attributes, object: KubeObject, evaluator: Evaluator): QuotaRequest {
    const { definition, subresource, namespace, dryRun, oldObject } = attributes;
    const now = this.#clock.now();
    const { name = '', uid = '' } = object.metadata;
    const previous = oldObject && {
      measure: evaluator.measure(oldObject, now),
      revision: Number(oldObject.metadata.resourceVersion),
    };
    return {
      group: definition.group,
      resource: definition.resource,
      subresource,
      namespace,
      name,
      uid,
      dryRun,
      measure: evaluator.measure(object, now),
      ...(previous && { previous }),
      missing: evaluator.missing?.(object) ?? {},
      limitedResources: this.#limitedResources,
    };
  }

  #finish(attributes: Attributes, request: QuotaRequest, result: ReserveResult): void {
    if (result === undefined) return;
    if (isRefusal(result)) throw refusalError(request, result);
    attributes.onOutcome((stored) => this.#reservations.settle(result, stored));
  }
}
