import { deploymentController } from '../../../runtime/controllers/deployment/deployment-controller.ts';
import { replicaSetController } from '../../../runtime/controllers/replicaset/replica-set-controller.ts';
import { scaledIntOrPercent } from '../../../runtime/machinery/scalars/int-or-string.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';
import type { Workload } from './workload.ts';
import { isActive, isReady, type WorkloadWorld } from './workload-world.ts';

const labels = { app: 'web' };
const name = 'web';
const rollbackTo = 'deprecated.deployment.rollback.to';

/** The limits until a rollout is complete. They widen with each user's change. */
interface Bounds {
  /** The maximum replicas of all ReplicaSets together. */
  total: number;
  /** The minimum available pods after the controllers' deletions; 0 if unknown. */
  available: number;
}

/**
 * Deployments: never more replicas than surge allows, no needed available pod is deleted, and in the end all pods have
 * the last template.
 */
export class DeploymentWorkload implements Workload {
  #bounds: Bounds = { total: 0, available: 0 };
  #sets = new Map<string, TestObject>();
  #deployment: TestObject | undefined;

  controllers: Workload['controllers'] = (context) => [deploymentController(context), replicaSetController(context)];

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    await world.watch('apps/deployments', (deployment) => this.#onDeployment(deployment));
    await world.watch('apps/replicasets', (set, type) => {
      if (type === 'DELETED') this.#sets.delete(set.metadata.uid ?? '');
      else this.#sets.set(set.metadata.uid ?? '', set);
      this.#checkTotal(world);
    });
    await world.watch('pods', (pod, type) => {
      if (type === 'DELETED' || pod.metadata.deletionTimestamp) this.#onPodDeleted(world, pod);
    });
    const deployment = {
      metadata: { name },
      spec: {
        replicas: random.between(1, 6),
        selector: { matchLabels: labels },
        template,
        strategy: randomStrategy(world),
        revisionHistoryLimit: random.between(0, 3),
        minReadySeconds: random.pick([0, 0, 0, 2]),
      },
    };
    this.#bounds = boundsOf(deployment.spec);
    await (await cluster.stores.of('apps/deployments')).create(deployment);
    if (random.chance(0.7)) await world.runToEnd();
  }

  #onDeployment(deployment: TestObject): void {
    const before = this.#deployment;
    this.#deployment = deployment;
    const { total, available } = boundsOf(deployment.spec);
    const isScaled = before !== undefined && before.spec.replicas !== deployment.spec.replicas;
    // the new ReplicaSet is made before a rollback, even with Recreate, as upstream
    const isRolledBack = deployment.metadata.annotations?.[rollbackTo] !== undefined;
    this.#bounds = {
      total: isRolledBack ? Number.POSITIVE_INFINITY : Math.max(total, this.#bounds.total),
      // scaling during a rollout deletes pods by proportion
      available: isScaled ? 0 : Math.min(available, this.#bounds.available),
    };
  }

  #checkTotal(world: WorkloadWorld): void {
    let total = 0;
    for (const { spec } of this.#sets.values()) total += spec.replicas;
    const { total: most } = this.#bounds;
    if (total > most) world.problems.push(`there are ${total} replicas, which is more than ${most}`);
  }

  /** @param pod the pod before its deletion */
  #onPodDeleted(world: WorkloadWorld, pod: TestObject): void {
    const { name: podName = '', uid } = pod.metadata;
    const last = { ...pod, metadata: { ...pod.metadata, deletionTimestamp: undefined } };
    if (world.deletedByUser.has(podName) || !isReady(last) || !isActive(last)) return;
    const left = [...world.pods.values()].filter(
      (one) => one.metadata.uid !== uid && isActive(one) && isReady(one) && one.metadata.labels?.app === labels.app,
    );
    const { available } = this.#bounds;
    if (left.length < available)
      world.problems.push(`pod ${podName} was deleted, which leaves ${left.length} available, fewer than ${available}`);
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    const deployments = await cluster.stores.of('apps/deployments');
    const act = random.pick(['image', 'image', 'image', 'scale', 'scale', 'pause', 'resume', 'undo', 'strategy']);
    const image = `i:${random.between(1, 4)}`;
    await deployments.update(name, ({ metadata, spec }) => {
      if (act === 'image') spec.template.spec.containers[0].image = image;
      if (act === 'scale') spec.replicas = random.between(0, 7);
      if (act === 'pause') spec.paused = true;
      if (act === 'resume') delete spec.paused;
      if (act === 'strategy') spec.strategy = randomStrategy(world);
      if (act === 'undo') metadata.annotations = { ...metadata.annotations, [rollbackTo]: '0' };
    });
  }

  /** Sets the limits to the deployment's own when a rollout is complete. */
  async check(): Promise<void> {
    const deployment = this.#deployment;
    if (deployment === undefined || deployment.status?.observedGeneration !== deployment.metadata.generation) return;
    const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = deployment.status;
    const desired = deployment.spec.replicas;
    const isComplete = [replicas, updatedReplicas, availableReplicas].every((count) => count === desired);
    if (isComplete) this.#bounds = boundsOf(deployment.spec);
  }

  async end({ cluster }: WorkloadWorld): Promise<void> {
    const deployments = await cluster.stores.of('apps/deployments');
    await deployments.update(name, ({ spec }) => {
      delete spec.paused;
      // upstream never finishes if several ReplicaSets with Recreate are scaled
      spec.strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
      spec.replicas = Math.max(1, spec.replicas);
    });
  }

  async problemsAtEnd(world: WorkloadWorld): Promise<string[]> {
    const [deployment] = (await world.cluster.list('apps/deployments')) as [TestObject];
    const { spec, status } = deployment;
    const problems = await world.orphans('apps/replicasets');
    for (const count of ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'])
      if (status[count] !== spec.replicas) problems.push(`${count} is ${status[count]} and not ${spec.replicas}`);
    const wanted = imageOf(spec.template.spec);
    const pods = [...world.pods.values()].filter((pod) => isActive(pod) && pod.metadata.labels?.app === labels.app);
    const images = pods.map((pod) => imageOf(pod.spec));
    if (images.length !== spec.replicas || images.some((image) => image !== wanted))
      problems.push(`there are pods of ${images}, wanted are ${spec.replicas} of ${wanted}`);
    if (this.#sets.size > spec.revisionHistoryLimit + 1) problems.push(`there are ${this.#sets.size} ReplicaSets`);
    const progressing = status.conditions.find(({ type }: { type: string }) => type === 'Progressing');
    if (progressing?.reason !== 'NewReplicaSetAvailable') problems.push(`progress ends as ${progressing?.reason}`);
    return problems;
  }

  async remove({ cluster }: WorkloadWorld): Promise<void> {
    this.#bounds.available = 0;
    await (await cluster.stores.of('apps/deployments')).delete(name, { propagationPolicy: 'Background' });
  }
}

const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

const imageOf = ({ containers }: TestValue): string => containers[0].image;

function randomStrategy({ random }: WorkloadWorld): object {
  if (random.chance(0.2)) return { type: 'Recreate' };
  const amount = (...amounts: (number | string)[]) => random.pick(amounts);
  const maxSurge = amount(0, 1, 2, '25%', '50%', '100%');
  const isZero = maxSurge === 0;
  const maxUnavailable = isZero ? amount(1, 2, '25%', '100%') : amount(0, 1, 3, '25%', '50%');
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

/** Returns the limits of a deployment by itself. */
function boundsOf({ replicas, strategy, minReadySeconds }: TestValue): Bounds {
  if (strategy.type !== 'RollingUpdate') return { total: replicas, available: 0 };
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  const surge = scaledIntOrPercent(maxSurge, replicas, true);
  const unavailable = scaledIntOrPercent(maxUnavailable, replicas, false);
  const most = surge === 0 && unavailable === 0 ? 1 : unavailable;
  // deletions distinguish ready pods by age, not by availability
  return { total: replicas + surge, available: minReadySeconds ? 0 : Math.max(0, replicas - most) };
}
