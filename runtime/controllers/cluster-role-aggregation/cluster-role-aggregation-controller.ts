import type { ClusterRole } from '../../../generated/v1.35/rbac.authorization.k8s.io/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { ForcedApply } from '../../resources/write/changes.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { ControllerContext } from '../controller-context.ts';
import { roleSelectors, unionOfRules } from './aggregated-rules.ts';

const group = 'rbac.authorization.k8s.io';
const manager = 'clusterrole-aggregation-controller';
const aggregationRule = Buffer.from('"aggregationRule"');

/**
 * Sets the rules of cluster roles with an aggregationRule to the rules of the selected roles. (kubernetes
 * pkg/controller/clusterroleaggregation)
 */
export class ClusterRoleAggregationController implements Controller {
  readonly #stores: ResourceStores;
  readonly #writer = writerOfController(manager);
  readonly #queue: WorkQueue<string>;
  /** The names of roles that may have an aggregationRule. */
  readonly #aggregating = new Set<string>();
  #store: ResourceStore | undefined;
  #stop: (() => void) | undefined;
  #closed = false;

  constructor({ stores, logger }: ControllerContext) {
    this.#stores = stores;
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 5,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'cluster roles could not be aggregated, which will be retried'),
    });
  }

  /** Resolves when the existing roles are aggregated. */
  async start(): Promise<void> {
    if (!this.#stores.serves(group, 'v1', 'clusterroles')) return;
    this.#store = await this.#stores.byResource(group, 'v1', 'clusterroles');
    if (this.#closed) return;
    const snapshot = this.#store.collection.latest();
    for (const stored of snapshot.scan()) this.#note(stored);
    const synced = new Set<string>();
    for (const name of this.#aggregating) await this.#syncAfterParts(name, synced);
    if (this.#closed) return;
    this.#stop = this.#store.collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object }) => {
        if (type === 'DELETED') this.#aggregating.delete(object.name);
        else this.#note(object);
        // any role may be part of another
        for (const name of this.#aggregating) this.#queue.add(name);
      },
    });
  }

  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop?.();
    await this.#queue.close();
  }

  #note(stored: StoredObject): void {
    if (stored.mentions(aggregationRule)) this.#aggregating.add(stored.name);
    else this.#aggregating.delete(stored.name);
  }

  /** Aggregates the parts of a role first, so that each role is written once. The queue retries failures. */
  async #syncAfterParts(name: string, synced: Set<string>): Promise<void> {
    if (synced.has(name)) return;
    synced.add(name);
    try {
      for (const { name: part } of this.#partsOf(name)) {
        if (this.#aggregating.has(part)) await this.#syncAfterParts(part, synced);
      }
      await this.#sync(name);
    } catch {
      this.#queue.add(name);
    }
  }

  async #sync(name: string): Promise<SyncResult> {
    const store = this.#store as ResourceStore;
    const role = decoded(store, store.collection.latest().get('', name));
    if (!role?.aggregationRule) return 'done';
    const rules = unionOfRules(this.#partsOf(name).map((stored) => decoded(store, stored) as ClusterRole));
    if (!semanticDeepEqual(rules, role.rules)) await this.#apply(store, name, rules);
    return 'done';
  }

  /** Returns the other roles that a role selects, in the order of its selectors and then of their names. */
  #partsOf(name: string): StoredObject[] {
    const store = this.#store as ResourceStore;
    const snapshot = store.collection.latest();
    const role = decoded(store, snapshot.get('', name));
    return roleSelectors(role?.aggregationRule ?? {}).flatMap((selector) =>
      [...snapshot.scan()].filter((stored) => stored.name !== name && selector.matches(stored.labels)),
    );
  }

  async #apply(store: ResourceStore, name: string, rules: ClusterRole['rules']): Promise<void> {
    const config = {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      ...(rules?.length ? { rules } : {}),
    };
    await store.update(
      store.definition,
      {
        namespace: '',
        name,
        part: 'main',
        requireVersion: false,
        change: new ForcedApply(config, manager),
      },
      this.#writer,
    );
  }
}

function decoded({ definition }: ResourceStore, stored: StoredObject | undefined): ClusterRole | undefined {
  return stored && (definition.conversion.fromStorage(stored.decode()) as ClusterRole & KubeObject);
}
