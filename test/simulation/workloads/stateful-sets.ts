import { statefulSetController } from '../../../runtime/controllers/statefulset/stateful-set-controller.ts';
import type { TestObject } from '../../support/test-object.ts';
import type { Workload } from './workload.ts';
import { isActive, isReady, type WorkloadWorld } from './workload-world.ts';

const labels = { app: 'web' };
const name = 'web';
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
/** In milliseconds. */
const longestBackoff = 1_000_000;
const revisionLabel = 'controller-revision-hash';

/**
 * Stateful sets: pods are created and deleted in the order of their ordinals unless the policy is Parallel. An update
 * proceeds from the highest ordinal down to the partition. In the end, each ordinal has one pod of the last template.
 */
export class StatefulSetWorkload implements Workload {
  #set: TestObject | undefined;

  controllers: Workload['controllers'] = (context) => [statefulSetController(context)];

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    await world.watch('apps/statefulsets', (set) => {
      this.#set = set;
    });
    await world.watch('pods', (pod, type) => {
      if (type === 'ADDED') this.#onCreated(world, pod);
      if (type === 'DELETED') this.#onDeleted(world, pod);
    });
    const sets = await cluster.stores.of('apps/statefulsets');
    await sets.create({
      metadata: { name },
      spec: {
        replicas: random.between(0, 4),
        serviceName: 's',
        selector: { matchLabels: labels },
        template,
        podManagementPolicy: random.pick(['OrderedReady', 'OrderedReady', 'Parallel']),
        updateStrategy: randomStrategy(world),
        revisionHistoryLimit: random.between(0, 3),
        ...(random.chance(0.3) && { ordinals: { start: random.between(0, 2) } }),
        minReadySeconds: random.pick([0, 0, 0, 2]),
      },
    });
    if (random.chance(0.7)) await world.runToEnd();
  }

  #onCreated({ problems, pods }: WorkloadWorld, pod: TestObject): void {
    const set = this.#set as TestObject;
    const ordinal = ordinalOf(pod);
    const { first, last } = rangeOf(set);
    if (ordinal < first || ordinal > last) problems.push(`pod ${ordinal} was created, beyond ${first} to ${last}`);
    if (set.spec.podManagementPolicy === 'Parallel') return;
    for (let before = first; before < ordinal; before++) {
      const other = pods.get(`${name}-${before}`);
      if (other === undefined || !isSteady(other)) problems.push(`pod ${ordinal} was created before ${before} was ready`);
    }
  }

  /** @param pod the pod before its deletion */
  #onDeleted({ problems, pods, deletedByUser }: WorkloadWorld, pod: TestObject): void {
    const set = this.#set as TestObject;
    if (deletedByUser.delete(pod.metadata.name ?? '') || set.metadata.deletionTimestamp) return;
    const ordinal = ordinalOf(pod);
    const { first, last } = rangeOf(set);
    const others = [...pods.values()].filter((one) => one.metadata.uid !== pod.metadata.uid && isOwn(one));
    if (ordinal < first || ordinal > last) {
      const surplus = others.map(ordinalOf).filter((one) => (one < first || one > last) && one > ordinal);
      if (surplus.length > 0 && set.spec.podManagementPolicy !== 'Parallel') problems.push(`pod ${ordinal} was deleted before ${surplus}`);
      return;
    }
    if (['Failed', 'Succeeded'].includes(pod.status.phase)) return;
    const { updateStrategy } = set.spec;
    const lowest = first + (updateStrategy.rollingUpdate?.partition ?? 0);
    if (updateStrategy.type === 'OnDelete' || ordinal < lowest) problems.push(`pod ${ordinal} was updated`);
    for (const other of others) {
      const at = ordinalOf(other);
      const isUpdated = other.metadata.labels?.[revisionLabel] === set.status.updateRevision;
      if (at > ordinal && at <= last && set.status.observedGeneration === set.metadata.generation && !isUpdated)
        problems.push(`pod ${ordinal} was updated before ${at}`);
    }
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    // so that the controller has the checks' state
    await world.settle();
    const act = random.pick(['image', 'image', 'image', 'scale', 'scale', 'strategy', 'start']);
    const image = `i:${random.between(1, 4)}`;
    const sets = await cluster.stores.of('apps/statefulsets');
    await sets.update(name, ({ spec }) => {
      if (act === 'image') spec.template.spec.containers[0].image = image;
      if (act === 'scale') spec.replicas = random.between(0, 5);
      if (act === 'strategy') spec.updateStrategy = randomStrategy(world);
      if (act === 'start') spec.ordinals = { start: random.between(0, 3) };
    });
  }

  async check(): Promise<void> {}

  async end(world: WorkloadWorld): Promise<void> {
    const { cluster, pods } = world;
    const sets = await cluster.stores.of('apps/statefulsets');
    await sets.update(name, ({ spec }) => {
      spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
      spec.replicas = Math.max(1, spec.replicas);
    });
    // orphaned pods occupy names of the set, and two failed pods block a scale-down
    const store = await cluster.stores.of('pods');
    for (const [podName, pod] of pods)
      if (!isOwn(pod) || pod.status.phase === 'Failed') {
        world.deletedByUser.add(podName);
        await store.delete(podName, { gracePeriodSeconds: 0 });
      }
    cluster.clock.advance(longestBackoff);
    await cluster.settle();
  }

  async problemsAtEnd(world: WorkloadWorld): Promise<string[]> {
    const [set] = (await world.cluster.list('apps/statefulsets')) as [TestObject];
    const { spec, status } = set;
    const problems = await world.orphans('apps/statefulsets');
    for (const count of ['replicas', 'updatedReplicas', 'currentReplicas', 'readyReplicas', 'availableReplicas'])
      if (status[count] !== spec.replicas) problems.push(`${count} is ${status[count]} and not ${spec.replicas}`);
    if (status.currentRevision !== status.updateRevision) problems.push('the update is not complete');
    const { first } = rangeOf(set);
    const wanted = Array.from({ length: spec.replicas }, (_, index) => `${name}-${first + index}`).sort();
    const names = [...world.pods.keys()].sort();
    if (names.join() !== wanted.join()) problems.push(`there are ${names} and not ${wanted}`);
    const [image] = imagesOf([{ ...set, spec: spec.template.spec }]);
    for (const found of imagesOf([...world.pods.values()]))
      if (found !== image) problems.push(`there is a pod of ${found} and not ${image}`);
    const revisions = (await world.cluster.list('apps/controllerrevisions')).length;
    if (revisions > spec.revisionHistoryLimit + 1) problems.push(`there are ${revisions} revisions`);
    return problems;
  }

  async remove({ cluster }: WorkloadWorld): Promise<void> {
    await (await cluster.stores.of('apps/statefulsets')).delete(name, { propagationPolicy: 'Foreground' });
    await cluster.settle();
  }
}

const ordinalOf = ({ metadata }: TestObject): number => Number(metadata.name?.slice(name.length + 1));
const imagesOf = (pods: TestObject[]): string[] => pods.map(({ spec }) => spec.containers[0].image);
const isOwn = ({ metadata }: TestObject): boolean => metadata.labels?.app === labels.app;
const isSteady = (pod: TestObject): boolean => isActive(pod) && isReady(pod);

function rangeOf({ spec }: TestObject): { readonly first: number; readonly last: number } {
  const first = spec.ordinals?.start ?? 0;
  return { first, last: first + spec.replicas - 1 };
}

const randomStrategy = ({ random }: WorkloadWorld): object =>
  random.chance(0.2) ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate: { partition: random.pick([0, 0, 1, 2]) } };
