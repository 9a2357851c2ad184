import { AdmissionObservations } from '../../runtime/admission/admission-metrics.ts';
import { Chain, type NamedPlugin } from '../../runtime/admission/chain.ts';
import { newForbidden } from '../../runtime/admission/errors.ts';
import type { Plugin } from '../../runtime/admission/plugin.ts';
import { QuotaAdmission } from '../../runtime/admission/plugins/resource-quota/resource-quota.ts';
import { QuotaAccountant } from '../../runtime/admission/quota/accountant.ts';
import { QuotaStatusWriter } from '../../runtime/admission/quota/status-writer.ts';
import { ResourceQuotaController } from '../../runtime/controllers/resource-quota/resource-quota-controller.ts';
import { silentLogger } from '../../runtime/machinery/logger.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import { Listers } from '../../runtime/resources/lister.ts';
import type { Writer } from '../../runtime/resources/rest.ts';
import { sharedQuotas } from '../../runtime/server/quota.ts';
import type { Engine } from '../../runtime/storage/kv/engine.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { createServiceCIDR, openTestStores, type TestResource, type TestStores } from '../support/resource-stores.ts';
import type { TestObject } from '../support/test-object.ts';

/** Refuses writes that quota has already admitted. */
const denier: Plugin = {
  handles: (operation) => operation === 'CREATE',
  validate(attributes) {
    if (attributes.object?.metadata.labels?.denied) throw newForbidden(attributes, 'denied');
  },
};

const tester: Writer = {
  user: { name: 'tester', uid: '', groups: [], extra: {} },
  dryRun: false,
  isAdmitted: true,
  warn: () => undefined,
};

/** Quota admission and the quota controller over stores in memory, without a server. */
export class QuotaWorld {
  readonly #stores: TestStores;
  #controller: ResourceQuotaController;
  readonly #plugins: readonly NamedPlugin[];
  readonly #accountant: QuotaAccountant;

  private constructor(stores: TestStores) {
    this.#stores = stores;
    const { clock } = stores;
    const listers = new Listers(stores.stores, true);
    const writer: Writer = {
      user: { name: 'server', uid: '', groups: [], extra: {} },
      dryRun: false,
      internal: true,
      warn: () => undefined,
    };
    this.#accountant = new QuotaAccountant({
      listers,
      clock,
      statusWriter: new QuotaStatusWriter(stores.stores, { admission: writer, controller: writer }),
      shared: sharedQuotas(stores.stores),
      report(error) {
        throw error;
      },
    });
    const context = { stores: stores.stores, listers, clock, quota: this.#accountant };
    this.#plugins = [
      { name: 'ResourceQuota', plugin: new QuotaAdmission(context, []) },
      { name: 'Denier', plugin: denier },
    ];
    this.#controller = this.#newController();
  }

  #newController(): ResourceQuotaController {
    const { stores } = this.#stores;
    return new ResourceQuotaController({ stores, logger: silentLogger, quota: this.#accountant });
  }

  get clock(): ManualClock {
    return this.#stores.clock;
  }

  /** Runs work whose changes the controller does not see. */
  async withoutController(work: () => Promise<void>): Promise<void> {
    await this.#controller.close();
    await work();
    this.#controller = this.#newController();
    await this.#controller.start();
  }

  /** @param engine the engine of one of several servers; one of them runs the controller */
  static async open(engine?: Engine, runsController = true): Promise<QuotaWorld> {
    const admission = new Chain(async () => world.#plugins, new AdmissionObservations());
    const stores = await openTestStores({}, engine, { admission });
    await createServiceCIDR(stores, '10.96.0.0/12');
    const world = new QuotaWorld(stores);
    if (runsController) await world.#controller.start();
    return world;
  }

  async close(): Promise<void> {
    await this.#controller.close();
    await this.#stores.close();
  }

  of(resource: string): Promise<TestResource> {
    return this.#stores.of(resource);
  }

  async create(resource: string, namespace: string, object: object, dryRun = false): Promise<void> {
    const { store, definition } = await this.of(resource);
    const { type } = definition;
    const full = type.prune({ apiVersion: type.version, kind: type.kind, ...object }, new PruneContext()) as TestObject;
    Object.assign(full, { apiVersion: type.version, kind: type.kind });
    type.setDefaults(full);
    await store.create(definition, full, namespace, { ...tester, dryRun });
  }

  /** @param part the main object is admitted, a status is not */
  async update(
    resource: string,
    { namespace, name, part = 'main' }: { namespace: string; name: string; part?: 'main' | 'status' },
    change: (object: TestObject) => void,
  ): Promise<void> {
    const { store, definition } = await this.of(resource);
    const request = {
      namespace,
      name,
      part,
      subresource: part === 'main' ? '' : part,
      requireVersion: false,
      change(current: unknown) {
        change(current as TestObject);
        return current as TestObject;
      },
    };
    await store.update(definition, request, tester);
  }

  async delete(resource: string, namespace: string, name: string): Promise<void> {
    const { store, definition } = await this.of(resource);
    await store.delete(definition, { namespace, name, gracePeriodSeconds: 0 }, tester);
  }
}
