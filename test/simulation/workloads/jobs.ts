import { jobController } from '../../../runtime/controllers/job/job-controller.ts';
import { podGCController } from '../../../runtime/controllers/podgc/pod-gc-controller.ts';
import type { TestObject } from '../../support/test-object.ts';
import type { Workload } from './workload.ts';
import { ignoringAbsence, isActive, type WorkloadWorld } from './workload-world.ts';

const name = 'job';
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const finalizer = 'batch.kubernetes.io/job-tracking';
/** The maximum milliseconds before a failed pod is replaced. */
const maxBackoff = 600_000;

/**
 * Jobs: never more active pods than parallelism allows, nor two of one index. Each succeeded pod is counted once, and
 * as many succeed as wanted, regardless of failures.
 */
export class JobWorkload implements Workload {
  /** The maximum active pods in users' requests since the last idle state. */
  #most = 0;
  #job: TestObject | undefined;
  /** The uids of succeeded pods, or their indexes. */
  readonly #succeeded = new Set<string>();

  controllers: Workload['controllers'] = (context) => [jobController(context), podGCController(context)];

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    await world.watch('batch/jobs', (job) => this.#onJob(job, world));
    await world.watch('pods', (pod) => this.#onPod(pod, world));
    const completionMode = random.pick(['NonIndexed', 'Indexed']);
    const isLimitedByIndex = completionMode === 'Indexed' && random.chance(0.5);
    const spec = {
      completionMode,
      completions: random.between(1, 6),
      parallelism: random.between(1, 4),
      ...(isLimitedByIndex ? { backoffLimitPerIndex: 1000 } : { backoffLimit: 1000 }),
      suspend: random.chance(0.2),
      podReplacementPolicy: random.pick(['TerminatingOrFailed', 'Failed']),
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    };
    await (await cluster.stores.of('batch/jobs')).create({ metadata: { name }, spec });
  }

  #onJob(job: TestObject, { problems }: WorkloadWorld): void {
    const before = this.#job?.status ?? {};
    for (const count of ['succeeded', 'failed'])
      if ((job.status[count] ?? 0) < (before[count] ?? 0)) problems.push(`${count} was ${before[count]}`);
    this.#job = job;
    this.#most = Math.max(this.#most, job.spec.parallelism);
  }

  #onPod(pod: TestObject, { pods, problems }: WorkloadWorld): void {
    const { uid, finalizers, annotations } = pod.metadata;
    if (pod.status?.phase === 'Succeeded' && finalizers?.includes(finalizer) && this.#owns(pod))
      this.#succeeded.add(annotations?.[indexAnnotation] ?? uid ?? '');
    const active = [...pods.values()].filter((one) => isActive(one) && this.#owns(one));
    if (active.length > this.#most) problems.push(`${active.length} pods are active, which is more than ${this.#most}`);
    const indexes = active.map(({ metadata }) => metadata.annotations?.[indexAnnotation] ?? metadata.uid);
    if (new Set(indexes).size < active.length) problems.push(`there are pods of the indexes ${indexes}`);
  }

  #owns({ metadata }: TestObject): boolean {
    return metadata.ownerReferences?.some(({ uid }) => uid === this.#job?.metadata.uid) === true;
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { cluster, random, pods } = world;
    const act = random.pick(['succeed', 'succeed', 'succeed', 'parallelism', 'suspend', 'resume', 'wait', 'wait']);
    if (act === 'succeed') {
      // controllers cannot know that a pod succeeds while they delete it
      await world.settle();
      const active = [...pods].filter(([, pod]) => isActive(pod)).map(([podName]) => podName);
      if (active.length > 0) await ignoringAbsence(cluster.finish(random.pick(active)));
    } else if (act === 'wait') cluster.clock.advance(random.between(1, 60) * 1000);
    else
      await (await cluster.stores.of('batch/jobs')).update(name, ({ spec }) => {
        if (act === 'parallelism') spec.parallelism = random.between(0, 5);
        else spec.suspend = act === 'suspend';
      });
  }

  async check({ pods, problems }: WorkloadWorld): Promise<void> {
    const { spec, status } = this.#job as TestObject;
    this.#most = spec.parallelism;
    const active = [...pods.values()].filter((pod) => isActive(pod) && this.#owns(pod));
    if (active.length > (spec.suspend ? 0 : this.#most)) problems.push(`${active.length} pods are still active`);
    if ((status.succeeded ?? 0) !== this.#succeeded.size)
      problems.push(`${status.succeeded} pods are counted of ${this.#succeeded.size} that have succeeded`);
  }

  async end(world: WorkloadWorld): Promise<void> {
    const { cluster, pods } = world;
    await (await cluster.stores.of('batch/jobs')).update(name, ({ spec }) => {
      Object.assign(spec, { suspend: false, parallelism: Math.max(1, spec.parallelism) });
    });
    for (let times = 0; times < 20 && !this.#job?.status.completionTime; times++) {
      cluster.clock.advance(maxBackoff);
      await world.settle();
      for (const [podName, pod] of pods) if (isActive(pod)) await ignoringAbsence(cluster.finish(podName));
    }
  }

  async problemsAtEnd({ pods }: WorkloadWorld): Promise<string[]> {
    const { spec, status } = this.#job as TestObject;
    const problems: string[] = [];
    if (status.succeeded !== spec.completions) problems.push(`${status.succeeded} of ${spec.completions} have succeeded`);
    if (this.#succeeded.size !== spec.completions) problems.push(`${this.#succeeded.size} pods have succeeded`);
    const types = status.conditions?.filter((one: { status: string }) => one.status === 'True');
    if (types?.at(-1)?.type !== 'Complete') problems.push(`the job ends as ${JSON.stringify(status)}`);
    if (status.active || status.terminating) problems.push('there are active pods');
    for (const { metadata } of pods.values())
      if (metadata.finalizers?.includes(finalizer)) problems.push(`pod ${metadata.name} is not counted`);
    return problems;
  }

  async remove({ cluster }: WorkloadWorld): Promise<void> {
    await (await cluster.stores.of('batch/jobs')).delete(name, { propagationPolicy: 'Background' });
  }
}
