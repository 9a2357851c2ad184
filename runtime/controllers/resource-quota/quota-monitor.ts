import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { Evaluator } from '../../admission/quota/evaluator.ts';
import type { Correction, ObservedUsage } from '../../admission/quota/observed-usage.ts';
import type { Quota } from '../../admission/quota/quota.ts';
import { evaluatorKey } from '../../admission/quota/registry.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Quantity } from '../../machinery/scalars/quantity.ts';
import { type Amounts, addTo } from '../../machinery/scalars/resource-amounts.ts';
import type { RegistryChange } from '../../resources/registry.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection } from '../../storage/object-store/contract.ts';
import { CountedObjects, type NamespaceUsage } from './counted-objects.ts';
import { MeasuredObjects } from './measured-objects.ts';
import { UsageCorrections } from './usage-corrections.ts';

export interface QuotaMonitorOptions {
  readonly stores: ResourceStores;
  readonly clock: Clock;
  /** Called when objects that count for the namespace's quotas have changed. */
  onChange(namespace: string): void;
  report(error: unknown): void;
}

/** A resource that quotas count. */
interface MonitoredResource {
  readonly evaluator: Evaluator;
  /** The namespaces with a quota for the resource. */
  readonly interested: Set<string>;
  /** Absent until the resource is served and its objects are loaded. */
  collection?: Collection;
  opening?: Promise<void>;
  isUnserved?: boolean;
  readonly usages: Map<string, NamespaceUsage>;
}

/**
 * Follows the objects that quotas count, in the namespaces with such quotas, and loads no others. (kubernetes
 * pkg/controller/resourcequota/resource_quota_monitor.go)
 */
export class QuotaMonitor implements ObservedUsage {
  readonly #options: QuotaMonitorOptions;
  readonly #resources = new Map<string, MonitoredResource>();
  readonly #corrections: UsageCorrections;
  readonly #stop: () => void;

  constructor(options: QuotaMonitorOptions) {
    this.#options = options;
    this.#corrections = new UsageCorrections(options.clock);
    this.#stop = options.stores.registry.onChange((change) => this.#onRegistryChange(change));
  }

  close(): void {
    this.#stop();
    for (const resource of this.#resources.values()) closeUsages(resource);
  }

  whenCounted(quota: Quota): Promise<void> | undefined {
    const waiting = quota.evaluators.flatMap((evaluator) => {
      const resource = this.#resourceOf(evaluator);
      resource.interested.add(quota.namespace);
      return this.#open(resource) ?? this.#usageIn(resource, quota.namespace)?.whenCounted(quota) ?? [];
    });
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  usage(quota: Quota): Amounts {
    return this.#sum(quota, 'usage');
  }

  #sum(quota: Quota, what: 'usage' | 'released'): Amounts {
    const sum = new Map<string, Quantity>();
    for (const evaluator of quota.evaluators) {
      const amounts = this.#usageIn(this.#resourceOf(evaluator), quota.namespace)?.[what](quota);
      if (amounts !== undefined) addTo(sum, amounts);
    }
    return sum;
  }

  correction(quota: Quota, givenBack: Amounts): Correction {
    return this.#corrections.of(quota, { stored: this.usage(quota), released: this.#sum(quota, 'released') }, givenBack);
  }

  /** Takes over a quota whose status another server may have written. */
  note(quota: Quota): void {
    this.#corrections.note(quota);
  }

  /** Drops a deleted quota. */
  forget(uid: string): void {
    this.#corrections.forget(uid);
  }

  /** Returns the milliseconds until statuses of the namespace can be corrected; undefined if all are right. */
  recountIn(quotas: readonly Quota[]): number | undefined {
    const delays = quotas.flatMap((quota) => this.#corrections.recountIn(quota, this.usage(quota)) ?? []);
    return delays.length === 0 ? undefined : Math.max(...delays);
  }

  isSettled({ group, resource, namespace, name, uid, previous }: QuotaRequest): boolean {
    const collection = this.#resources.get(`${group}/${resource}`)?.collection;
    if (collection === undefined) return true;
    const stored = collection.latest().get(namespace, name);
    return previous === undefined ? stored?.uid === uid : stored?.revision !== previous.revision;
  }

  /** Drops state that no quota of the namespace needs. @param quotas all quotas of the namespace */
  retain(namespace: string, quotas: readonly Quota[]): void {
    const needed = new Set(quotas.flatMap(({ evaluators }) => evaluators.map(evaluatorKey)));
    const uids = new Set(quotas.map(({ uid }) => uid));
    for (const [key, { interested, usages }] of this.#resources) {
      const usage = usages.get(namespace);
      if (needed.has(key)) {
        usage?.retain(uids);
        continue;
      }
      usage?.close();
      usages.delete(namespace);
      interested.delete(namespace);
      if (interested.size === 0) this.#resources.delete(key);
    }
  }

  #resourceOf(evaluator: Evaluator): MonitoredResource {
    const key = evaluatorKey(evaluator);
    let resource = this.#resources.get(key);
    if (resource === undefined) {
      resource = { evaluator, interested: new Set(), usages: new Map() };
      this.#resources.set(key, resource);
    }
    return resource;
  }

  /** Returns undefined if the resource is open, or cannot be opened. */
  #open(resource: MonitoredResource): Promise<void> | undefined {
    if (resource.collection !== undefined || resource.isUnserved) return undefined;
    const { stores } = this.#options;
    const { group, resource: plural } = resource.evaluator;
    const entry = stores.registry.stored(group, plural);
    resource.isUnserved = !entry?.facts.namespaced;
    if (entry === undefined || resource.isUnserved) return undefined;
    resource.opening ??= (async () => {
      try {
        const { collection } = await stores.open(await entry.load());
        resource.collection = collection;
      } finally {
        delete resource.opening;
      }
    })();
    return resource.opening;
  }

  #usageIn(resource: MonitoredResource, namespace: string): NamespaceUsage | undefined {
    const { collection, evaluator, usages } = resource;
    if (collection === undefined) return undefined;
    let usage = usages.get(namespace);
    if (usage === undefined) {
      const { clock, report } = this.#options;
      const onChange = (): void => this.#options.onChange(namespace);
      usage =
        evaluator.each === undefined
          ? new MeasuredObjects({ collection, namespace, evaluator, clock, onChange, report })
          : new CountedObjects(collection, namespace, evaluator.each, onChange);
      usages.set(namespace, usage);
    }
    return usage;
  }

  /** Opens resources that became served, and custom resources whose collection changed. */
  #onRegistryChange(change: RegistryChange | undefined): void {
    if (change === undefined) return; // a catalog, which is there before any quota
    const resource = this.#resources.get(evaluatorKey(change));
    if (resource === undefined) return;
    closeUsages(resource);
    delete resource.collection;
    resource.isUnserved = false;
    for (const namespace of resource.interested) this.#options.onChange(namespace);
  }
}

function closeUsages({ usages }: MonitoredResource): void {
  for (const usage of usages.values()) usage.close();
  usages.clear();
}
