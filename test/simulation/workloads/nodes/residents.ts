import type { TestObject, TestValue } from '../../../support/test-object.ts';
import { isActive, isOver, isReady, type WorkloadWorld } from '../workload-world.ts';
import type { NodeStates } from './node-states.ts';

const maxReplicas = 5;

/** The workloads on the nodes: a deployment, a stateful set, a daemon set and a job. */
export class Residents {
  readonly #world: WorkloadWorld;
  readonly #nodes: NodeStates;

  constructor(world: WorkloadWorld, nodes: NodeStates) {
    this.#world = world;
    this.#nodes = nodes;
  }

  async create(): Promise<void> {
    const { random } = this.#world;
    const replicas = random.between(0, maxReplicas);
    await this.#create('apps/deployments', 'web', { replicas, ...this.#selecting('web', 500) });
    await this.#create('apps/statefulsets', 'db', {
      replicas: random.between(0, 3),
      serviceName: 's',
      ...this.#selecting('db', 300),
      podManagementPolicy: random.pick(['OrderedReady', 'Parallel']),
    });
    const nodeSelector = random.chance(0.5) ? { role: 'main' } : {};
    // its higher priority guarantees room for it
    const agent = this.#selecting('agent', 100, { nodeSelector, priority: 1000 });
    await this.#create('apps/daemonsets', 'agent', agent);
    const { template } = this.#selecting('work', 200, { restartPolicy: 'Never' });
    template.metadata.annotations['simulation.kubeloom.dev/run-for'] = random.pick(['5s', '40s']);
    const completionMode = random.pick(['NonIndexed', 'Indexed']);
    const podReplacementPolicy = random.pick(['TerminatingOrFailed', 'Failed']);
    const counts = { completions: random.between(1, 6), parallelism: random.between(1, 3), backoffLimit: 1000 };
    await this.#create('batch/jobs', 'work', { ...counts, completionMode, podReplacementPolicy, template });
  }

  async #create(resource: string, name: string, spec: object): Promise<void> {
    await (await this.#world.cluster.stores.of(resource)).create({ metadata: { name }, spec });
  }

  /** @param cpu in thousandths */
  #selecting(app: string, cpu: number, more: object = {}): TestValue {
    const { random } = this.#world;
    const annotations = {
      'simulation.kubeloom.dev/start-delay': random.pick(['0s', '3s']),
      'simulation.kubeloom.dev/stop-after': random.pick(['0s', '4s']),
    };
    const container = { name: 'c', image: 'i:1', resources: { requests: { cpu: `${cpu}m` } } };
    const spec = { containers: [container], tolerations: randomTolerations(random), ...more };
    const template = { metadata: { labels: { app }, annotations }, spec };
    return { selector: { matchLabels: { app } }, template };
  }

  /** Makes a user's change to one of the workloads. */
  async change(): Promise<void> {
    const { random, cluster } = this.#world;
    const [resource, name] = random.pick([
      ['apps/deployments', 'web'],
      ['apps/statefulsets', 'db'],
      ['apps/daemonsets', 'agent'],
    ]);
    const image = `i:${random.between(1, 3)}`;
    const replicas = random.between(0, maxReplicas);
    const scales = resource !== 'apps/daemonsets' && random.chance(0.5);
    await (await cluster.stores.of(resource)).update(name, ({ spec }) => {
      if (scales) spec.replicas = replicas;
      else spec.template.spec.containers[0].image = image;
    });
  }

  /** @param pod a new pod */
  onPod(pod: TestObject): void {
    const { pods, problems } = this.#world;
    const app = appOf(pod);
    const others = [...pods.values()].filter((one) => one.metadata.uid !== pod.metadata.uid && appOf(one) === app);
    if (app === 'agent' && others.some((one) => !isOver(one) && daemonNodeOf(one) === daemonNodeOf(pod)))
      problems.push(`node ${daemonNodeOf(pod)} gets a second pod`);
    const index = pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
    const isTwin = (one: TestObject): boolean =>
      isActive(one) && one.metadata.annotations?.['batch.kubernetes.io/job-completion-index'] === index;
    if (app === 'work' && index !== undefined && others.some(isTwin)) problems.push(`index ${index} has two pods`);
  }

  /** Returns the incomplete workloads. */
  async unfinished(): Promise<string[]> {
    const { cluster, pods } = this.#world;
    const problems: string[] = [];
    const expect = (what: string, status: TestValue, counts: readonly string[], want: number): void => {
      for (const count of counts)
        if ((status[count] ?? 0) !== want) problems.push(`${count} of ${what} is ${status[count]} and not ${want}`);
    };
    const [web] = await cluster.list('apps/deployments');
    const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'];
    expect('web', web.status, counts, web.spec.replicas);
    const [db] = await cluster.list('apps/statefulsets');
    expect('db', db.status, [...counts, 'currentReplicas'], db.spec.replicas);
    const [{ spec, status }] = await cluster.list('apps/daemonsets');
    const { role } = spec.template.spec.nodeSelector ?? {};
    const homes = [...this.#nodes.current.values()].filter(({ metadata }) => role === undefined || metadata.labels?.role === role);
    const scheduled = ['desired', 'current', 'updated'].map((count) => `${count}NumberScheduled`);
    expect('agent', status, [...scheduled, 'numberReady', 'numberAvailable'], homes.length);
    const [work] = await cluster.list('batch/jobs');
    expect('work', work.status, ['succeeded'], work.spec.completions);
    expect('work', work.status, ['active', 'terminating'], 0);
    if (!work.status.completionTime) problems.push(`work is not complete: ${JSON.stringify(work.status)}`);
    for (const [name, pod] of pods) if (!isSettled(pod)) problems.push(`pod ${name} is ${JSON.stringify(pod.status)}`);
    return problems;
  }

  async remove(): Promise<void> {
    const { cluster } = this.#world;
    for (const [resource, name] of [
      ['apps/deployments', 'web'],
      ['apps/statefulsets', 'db'],
      ['apps/daemonsets', 'agent'],
      ['batch/jobs', 'work'],
    ])
      await (await cluster.stores.of(resource)).delete(name, { propagationPolicy: 'Background' });
    // containers need time to stop
    await cluster.pass(10);
  }
}

const appOf = ({ metadata }: TestObject): string | undefined => metadata.labels?.app;

const daemonNodeOf = ({ spec }: TestObject): string =>
  spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0];

const isSettled = (pod: TestObject): boolean => isOver(pod) || (isReady(pod) && !pod.metadata.deletionTimestamp);

function randomTolerations(random: WorkloadWorld['random']): object[] {
  const until = (key: string) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    ...(random.chance(0.8) && { tolerationSeconds: random.pick([5, 20, 60]) }),
  });
  return ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready', 'busy'].filter(() => random.chance(0.5)).map(until);
}
