import type { ValidatingAdmissionPolicy } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { enqueueNames } from '../../reconcile/enqueue-names.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { onFirstUse } from '../../resources/on-first-use.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { ForcedApply } from '../../resources/write/changes.ts';
import type { ControllerContext } from '../controller-context.ts';
import { expressionWarnings, type SchemaResolver } from './expression-warnings.ts';

const group = 'admissionregistration.k8s.io';
const resource = 'validatingadmissionpolicies';
const manager = 'validatingadmissionpolicy-status-controller';

/**
 * Checks the types of each policy's expressions once for each generation, and writes the warnings into the status.
 * (kubernetes pkg/controller/validatingadmissionpolicystatus)
 */
export class ValidatingAdmissionPolicyStatusController implements Controller {
  readonly #stores: ResourceStores;
  readonly #resolveSchema: SchemaResolver;
  readonly #writer = writerOfController(manager);
  readonly #queue: WorkQueue<string>;
  #store: ResourceStore | undefined;
  #stop: (() => void) | undefined;
  #stopWatch: (() => void) | undefined;
  #closed = false;

  constructor({ stores, logger, resolveSchema }: ControllerContext) {
    this.#stores = stores;
    this.#resolveSchema = resolveSchema;
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 1,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'the types of a policy could not be checked, which will be retried'),
    });
  }

  async start(): Promise<void> {
    if (!this.#stores.serves(group, 'v1', resource)) return;
    this.#stop = await onFirstUse(this.#stores, { group, version: 'v1', resource }, (store) => this.#follow(store));
  }

  #follow(store: ResourceStore): void {
    if (this.#closed) return;
    this.#store = store;
    this.#stopWatch = enqueueNames(store.collection, this.#queue);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop?.();
    this.#stopWatch?.();
    await this.#queue.close();
  }

  async #sync(name: string): Promise<SyncResult> {
    const store = this.#store as ResourceStore;
    const stored = store.collection.latest().get('', name);
    if (stored === undefined) return 'done';
    const policy: ValidatingAdmissionPolicy = store.definition.conversion.fromStorage(stored.decode());
    const { generation = 0 } = policy.metadata ?? {};
    if (generation <= (policy.status?.observedGeneration ?? 0)) return 'done';
    const warnings = await expressionWarnings(policy, this.#stores.registry, this.#resolveSchema);
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
    await this.#apply(store, name, { observedGeneration: generation, typeChecking });
    return 'done';
  }

  async #apply(store: ResourceStore, name: string, status: ValidatingAdmissionPolicy['status']): Promise<void> {
    const config = { apiVersion: `${group}/v1`, kind: 'ValidatingAdmissionPolicy', metadata: { name }, status };
    const update = { part: 'status', subresource: 'status', requireVersion: false } as const;
    await store.update(
      store.definition,
      {
        ...update,
        namespace: '',
        name,
        change: new ForcedApply(config, manager),
      },
      this.#writer,
    );
  }
}
