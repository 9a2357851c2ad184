import { setImmediate } from 'node:timers/promises';
import { newForbidden } from '../../runtime/admission/errors.ts';
import type { WorkloadContext } from '../../runtime/controllers/controller-context.ts';
import type { StrategyOptions } from '../../runtime/kinds/strategies.ts';
import type { Admission, Attributes } from '../../runtime/machinery/admission.ts';
import { silentLogger } from '../../runtime/machinery/logger.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SharedInformers } from '../../runtime/reconcile/informers/shared-informers.ts';
import type { ManualClock } from './manual-clock.ts';
import { openTestStores, type TestStores } from './resource-stores.ts';
import type { TestObject } from './test-object.ts';

type Refusal = (attributes: Attributes) => string | false | undefined;

/** Admits all writes except those that a test refuses. */
class RefusingAdmission implements Admission {
  refuse: Refusal | undefined;

  admit(): void {}

  validate(attributes: Attributes): void {
    const message = this.refuse?.(attributes);
    if (message) throw newForbidden(attributes, message);
  }

  recheck(): void {}
}

/** Controllers over stores in memory with a manual clock, without a server or kubelets. */
export class SimulatedCluster {
  readonly stores: TestStores;
  readonly clock: ManualClock;
  readonly context: WorkloadContext;
  readonly #admission: RefusingAdmission;
  readonly #informers: SharedInformers;
  /** Programming errors, such as a change to a shared object. */
  readonly #mistakes: unknown[] = [];
  #controllers: readonly Controller[] = [];

  private constructor(stores: TestStores, admission: RefusingAdmission) {
    this.#admission = admission;
    this.stores = stores;
    this.clock = stores.clock;
    const error = ({ err }: { readonly err?: unknown }): void => {
      if (err instanceof TypeError) this.#mistakes.push(err);
    };
    const logger = { ...silentLogger, error };
    this.#informers = new SharedInformers(stores.stores, logger);
    this.context = { stores: stores.stores, informers: this.#informers, logger };
  }

  /** Sets the function that returns why a write is forbidden, if it is. */
  set refuse(refuse: Refusal | undefined) {
    this.#admission.refuse = refuse;
  }

  static async open(
    make: (context: WorkloadContext) => readonly Controller[],
    options: Partial<StrategyOptions> = {},
  ): Promise<SimulatedCluster> {
    const admission = new RefusingAdmission();
    const cluster = new SimulatedCluster(await openTestStores(options, undefined, { admission }), admission);
    // load modules first: loading may take longer than settling waits
    await Promise.all(['events', 'apps/deployments', 'batch/jobs'].map((resource) => cluster.stores.of(resource)));
    cluster.#controllers = make(cluster.context);
    await Promise.all(cluster.#controllers.map((controller) => controller.start()));
    return cluster;
  }

  async close(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.close()));
    this.#informers.close();
    await this.stores.close();
    for (const mistake of this.#mistakes) throw mistake;
  }

  /** Resolves after some turns of the event loop without a write. */
  async settle(): Promise<void> {
    const { stores } = this.stores;
    for (let quiet = 0, revision = -1; quiet < 12; quiet++) {
      const now = stores.revision();
      if (now !== revision) quiet = 0;
      revision = now;
      await setImmediate();
    }
  }

  /** Advances time second by second, and lets its effects happen. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.clock.advance(1000);
      await this.settle();
    }
  }

  /** Returns all objects of a resource, by name. */
  async list(resource: string, namespace = 'default'): Promise<TestObject[]> {
    const { store, definition } = await this.stores.of(resource);
    const all = [...store.collection.latest().scan({ namespace })];
    return all.map((stored) => definition.conversion.fromStorage(stored.decode()) as TestObject);
  }

  /** Returns the events in order of creation: `Normal Reason: message`. */
  async events(kind?: string): Promise<string[]> {
    const events = (await this.list('events')).filter((event) => !kind || event.involvedObject.kind === kind);
    const at = ({ metadata }: TestObject) => Number(metadata.resourceVersion);
    events.sort((a, b) => at(a) - at(b));
    return events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  }

  /** Acts as a kubelet: the pod runs, ready or not. */
  async run(name: string, isReady = true): Promise<void> {
    const pods = await this.stores.of('pods');
    const time = new Date(this.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    await pods.update(
      name,
      (pod) => {
        const old = pod.status.conditions?.find(({ type }: { type: string }) => type === 'Ready');
        const status = isReady ? 'True' : 'False';
        const lastTransitionTime = old?.status === status ? old.lastTransitionTime : time;
        const ready = { type: 'Ready', status, lastProbeTime: null, lastTransitionTime };
        pod.status = { ...pod.status, phase: 'Running', conditions: [ready] };
      },
      { part: 'status' },
    );
  }

  /** Acts as a kubelet: the pod's containers end. */
  async finish(name: string, { exitCode = 0, conditions = [] as object[] } = {}): Promise<void> {
    const pods = await this.stores.of('pods');
    const finishedAt = new Date(this.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    await pods.update(
      name,
      (pod) => {
        const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
        const state = { terminated: { exitCode, finishedAt, startedAt: finishedAt } };
        const containerStatuses = pod.spec.containers.map((container: { name: string; image: string }) => ({
          name: container.name,
          image: container.image,
          imageID: '',
          ready: false,
          restartCount: 0,
          state,
        }));
        pod.status = { ...pod.status, phase, conditions, containerStatuses };
      },
      { part: 'status' },
    );
  }
}
