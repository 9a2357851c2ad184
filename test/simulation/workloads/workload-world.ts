import type { DeleteOptions } from '../../../generated/v1.35/meta/v1/types.ts';
import type { WorkloadContext } from '../../../runtime/controllers/controller-context.ts';
import { GarbageCollector } from '../../../runtime/controllers/garbage-collector/garbage-collector.ts';
import { isStatusError, type Status } from '../../../runtime/machinery/errors/status.ts';
import type { Controller } from '../../../runtime/reconcile/controller.ts';
import type { NamedCreater } from '../../../runtime/resources/rest.ts';
import type { ObjectEvent } from '../../../runtime/storage/object-store/contract.ts';
import type { Random } from '../../support/random.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

/** A cluster for one round: workload controllers and the garbage collector, a manual clock, and simple kubelets. */
export class WorkloadWorld {
  readonly cluster: SimulatedCluster;
  readonly random: Random;
  /** Violations found so far. */
  readonly problems: string[] = [];
  /** The pods that a user has deleted. */
  readonly deletedByUser = new Set<string>();
  /** All current pods by name. */
  readonly pods = new Map<string, TestObject>();
  readonly #stops: (() => void)[] = [];

  private constructor(cluster: SimulatedCluster, random: Random) {
    this.cluster = cluster;
    this.random = random;
  }

  static async open(random: Random, make: (context: WorkloadContext) => readonly Controller[]): Promise<WorkloadWorld> {
    const cluster = await SimulatedCluster.open((context) => [...make(context), new GarbageCollector(context)]);
    const world = new WorkloadWorld(cluster, random);
    await world.watch('pods', (pod, type) => world.#onPod(pod, type));
    return world;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.cluster.close();
  }

  /** Reports each change of a resource before its write resolves. */
  async watch(resource: string, onEvent: (object: TestObject, type: ObjectEvent['type']) => void): Promise<void> {
    const { store, definition } = await this.cluster.stores.of(resource);
    const stop = store.collection.watch({
      after: store.collection.latest().revision,
      onEvent: ({ type, object }) => onEvent(definition.conversion.fromStorage(object.decode()) as TestObject, type),
    });
    this.#stops.push(stop);
  }

  #onPod(pod: TestObject, type: ObjectEvent['type']): void {
    const { name = '', ownerReferences = [] } = pod.metadata;
    if (ownerReferences.filter(({ controller }) => controller).length > 1)
      this.problems.push(`pod ${name} has two owners: ${JSON.stringify(ownerReferences)}`);
    if (type === 'DELETED') this.pods.delete(name);
    else this.pods.set(name, pod);
  }

  /** Advances a second, and waits until all controllers are idle. */
  settle(): Promise<void> {
    return this.cluster.pass(1);
  }

  /** May disturb a pod: changes its readiness, fails it, deletes it, or orphans it. */
  async disturbPods(): Promise<void> {
    const { random, pods } = this;
    const names = [...pods.keys()];
    for (let times = random.between(0, 3); times > 0 && names.length > 0; times--) {
      const name = random.pick(names);
      const happening = random.pick(['ready', 'ready', 'ready', 'ready', 'unready', 'fail', 'delete', 'release']);
      // controllers cannot know about changes of pods while they work
      if (happening !== 'ready') await this.settle();
      await ignoringAbsence(this.#disturb(name, happening));
    }
  }

  async #disturb(name: string, happening: string): Promise<void> {
    const store = await this.cluster.stores.of('pods');
    const pod = this.pods.get(name);
    if (pod !== undefined && !isActive(pod)) return;
    if (happening === 'ready') return this.cluster.run(name);
    if (happening === 'unready') return this.cluster.run(name, false);
    if (happening === 'fail') return this.cluster.finish(name, { exitCode: 1 });
    this.deletedByUser.add(name);
    if (happening === 'delete') await store.delete(name, { gracePeriodSeconds: 0 });
    else
      await store.update(name, ({ metadata }) => {
        metadata.labels = { released: 'true' };
      });
  }

  /** Makes all pods ready and deletes orphans, until nothing changes. */
  async runToEnd(): Promise<void> {
    const store = await this.cluster.stores.of('pods');
    // pods may have to be ready for some seconds
    for (let step = 0, quiet = 0; step < 100 && quiet < 4; step++) {
      await this.settle();
      const waiting: string[] = [];
      for (const [name, pod] of this.pods) {
        if (pod.metadata.labels?.released) {
          this.deletedByUser.add(name);
          await store.delete(name, { gracePeriodSeconds: 0 });
        } else if (!isReady(pod) && isActive(pod)) waiting.push(name);
      }
      quiet = waiting.length === 0 ? quiet + 1 : 0;
      for (const name of waiting) await ignoringAbsence(this.cluster.run(name));
    }
  }

  /** Returns the API's response to the eviction of a pod. */
  async evict(name: string, deleteOptions: DeleteOptions = {}): Promise<Status> {
    const resource = await this.cluster.stores.of('pods');
    const { store } = resource;
    const evict = store.strategy.namedCreaters?.eviction as NamedCreater;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, deleteOptions };
    try {
      return await evict(eviction, name, resource.write());
    } catch (error) {
      if (isStatusError(error)) return error.status;
      throw error;
    }
  }

  /** Returns the pods whose owners, of these resources, are gone. */
  async orphans(...resources: string[]): Promise<string[]> {
    const objects = (await Promise.all(resources.map((resource) => this.cluster.list(resource)))).flat();
    const uids = new Set(objects.map(({ metadata }) => metadata.uid));
    return [...this.pods.values()]
      .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => !uids.has(uid)))
      .map(({ metadata }) => `pod ${metadata.name} has an owner that is gone`);
  }
}

export const isReady = ({ status }: TestObject): boolean =>
  status?.conditions?.some((one: { type: string; status: string }) => one.type === 'Ready' && one.status === 'True') === true;

export const isOver = ({ status }: TestObject): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

export const isActive = (object: TestObject): boolean => !object.metadata.deletionTimestamp && !isOver(object);

/** Ignores a missing object, which may have been deleted meanwhile. */
export async function ignoringAbsence(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isStatusError(error) || error.status.code !== 404) throw error;
  }
}
