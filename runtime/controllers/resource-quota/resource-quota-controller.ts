import type { QuotaAccountant } from '../../admission/quota/accountant.ts';
import type { Quota } from '../../admission/quota/quota.ts';
import { equalAmounts } from '../../machinery/scalars/resource-amounts.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { WorkQueue } from '../../reconcile/work-queue.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { ObjectEvent } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';
import { QuotaMonitor } from './quota-monitor.ts';

/** Milliseconds between two comparisons of all statuses with the stored objects. (--resource-quota-sync-period) */
const resyncPeriod = 5 * 60_000;

/**
 * Maintains the statuses of quotas. Objects are counted as they change, and the accountant writes changed statuses. As
 * upstream, a status that another client has written stays until the next change, or for five minutes. (kubernetes
 * pkg/controller/resourcequota)
 */
export class ResourceQuotaController implements Controller {
  readonly #stores: ResourceStores;
  readonly #accountant: QuotaAccountant;
  readonly #queue: WorkQueue<string>;
  readonly #monitor: QuotaMonitor;
  /** Each quota, by uid, in its state when its namespace was last queued for it. */
  readonly #quotas = new Map<string, Quota>();
  readonly #stops: (() => void)[] = [];
  #closed = false;

  constructor({ stores, logger, quota }: Pick<ControllerContext, 'stores' | 'logger' | 'quota'>) {
    this.#stores = stores;
    this.#accountant = quota;
    const report = (err: unknown): void => {
      logger.error({ err }, 'the usage of a quota could not be counted, which will be retried');
    };
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      report,
      keyOf: (namespace) => namespace,
      work: async (namespace) => {
        await quota.sync(namespace);
        const delay = stores.isShared ? this.#monitor.recountIn(quota.quotasIn(namespace)) : undefined;
        return delay ?? 'done';
      },
    });
    const onChange = (namespace: string): void => this.#queue.add(namespace);
    this.#monitor = new QuotaMonitor({ stores, clock: stores.clock, onChange, report });
  }

  async start(): Promise<void> {
    if (!this.#stores.serves('', 'v1', 'resourcequotas')) return;
    await this.#accountant.open();
    const { collection } = await this.#stores.byResource('', 'v1', 'resourcequotas');
    if (this.#closed) return;
    this.#accountant.observe(this.#monitor);
    const snapshot = collection.latest();
    this.#stops.push(collection.watch({ after: snapshot.revision, onEvent: (event) => this.#onEvent(event) }));
    const namespaces = new Set<string>();
    for (const { namespace } of snapshot.scan()) namespaces.add(namespace);
    for (const namespace of namespaces) this.#follow(namespace);
    this.#resyncLater();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#stops) stop();
    await this.#queue.close();
    this.#accountant.observe(undefined);
    this.#monitor.close();
  }

  #onEvent({ type, object: { namespace, uid } }: ObjectEvent): void {
    if (this.#stores.isShared) this.#onSharedEvent(namespace);
    if (type === 'DELETED' && this.#quotas.delete(uid)) {
      this.#monitor.forget(uid);
      this.#monitor.retain(namespace, this.#accountant.quotasIn(namespace));
    } else this.#follow(namespace);
  }

  /** Queues a namespace after another server has reserved or released something. */
  #onSharedEvent(namespace: string): void {
    for (const quota of this.#accountant.quotasIn(namespace)) this.#monitor.note(quota);
    this.#queue.add(namespace);
  }

  /** Queues the namespace for a new quota, and for a quota with other limits. */
  #follow(namespace: string): void {
    const quotas = this.#accountant.quotasIn(namespace);
    let countsOthers = false;
    for (const quota of quotas) {
      const before = this.#quotas.get(quota.uid);
      const countsTheSame = before?.countingKey === quota.countingKey;
      if (countsTheSame && equalAmounts(before.spec, quota.spec)) continue;
      this.#quotas.set(quota.uid, quota);
      this.#queue.add(namespace);
      countsOthers ||= before !== undefined && !countsTheSame;
    }
    if (countsOthers) this.#monitor.retain(namespace, quotas);
  }

  #resyncLater(): void {
    const cancel = this.#stores.clock.after(resyncPeriod, () => {
      for (const { namespace } of this.#quotas.values()) this.#queue.add(namespace);
      this.#stops.splice(this.#stops.indexOf(cancel), 1);
      this.#resyncLater();
    });
    this.#stops.push(cancel);
  }
}
