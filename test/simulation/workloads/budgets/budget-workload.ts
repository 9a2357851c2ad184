import { deploymentController } from '../../../../runtime/controllers/deployment/deployment-controller.ts';
import { DisruptionController } from '../../../../runtime/controllers/disruption/disruption-controller.ts';
import { replicaSetController } from '../../../../runtime/controllers/replicaset/replica-set-controller.ts';
import { statefulSetController } from '../../../../runtime/controllers/statefulset/stateful-set-controller.ts';
import type { TestObject } from '../../../support/test-object.ts';
import type { Workload } from '../workload.ts';
import { ignoringAbsence, isReady, type WorkloadWorld } from '../workload-world.ts';
import { type BudgetedCluster, budgetCounts, covers, deletionTimeout, outcomeOfEviction } from './budget-model.ts';

const resource = 'policy/poddisruptionbudgets';
const names = ['one', 'two'];
const app = { app: 'web' };
/** Keeps a deleted pod. */
const finalizer = 'test/hold';
const acts = ['evict', 'evict', 'evict', 'evict', 'race', 'create', 'change', 'delete', 'scale', 'image', 'hold', 'wait'];

/**
 * Budgets over the pods of a deployment and a stateful set. Their statuses have Kubernetes' counts. An eviction gets
 * Kubernetes' response, never leaves fewer healthy pods than a budget demands, and is charged to its budget.
 */
export class BudgetWorkload implements Workload {
  readonly #budgets = new Map<string, TestObject>();
  /** The uids of pods that are being deleted, or are gone. */
  readonly #leaving = new Set<string>();

  controllers: Workload['controllers'] = (context) => [
    deploymentController(context),
    replicaSetController(context),
    statefulSetController(context),
    new DisruptionController(context),
  ];

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    await world.watch(resource, (budget, type) => {
      const { name = '' } = budget.metadata;
      if (type === 'DELETED') this.#budgets.delete(name);
      else {
        this.#checkCharge(world, budget);
        this.#budgets.set(name, budget);
      }
    });
    await world.watch('pods', (pod, type) => {
      if (type === 'DELETED' || pod.metadata.deletionTimestamp) this.#onLeaving(world, pod);
    });
    const spec = (tier: string) => {
      const labels = { ...app, tier };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
      return { replicas: random.between(0, 5), selector: { matchLabels: { tier } }, template };
    };
    const podManagementPolicy = random.pick(['OrderedReady', 'Parallel']);
    await (await cluster.stores.of('apps/deployments')).create({ metadata: { name: 'web' }, spec: spec('web') });
    await (await cluster.stores.of('apps/statefulsets')).create({
      metadata: { name: 'db' },
      spec: { ...spec('db'), serviceName: 's', podManagementPolicy },
    });
    for (const name of names) if (random.chance(0.7)) await this.#create(world, name);
    if (random.chance(0.8)) await world.runToEnd();
  }

  async #create({ random, cluster }: WorkloadWorld, name: string): Promise<void> {
    if (this.#budgets.has(name)) return;
    await (await cluster.stores.of(resource)).create({ metadata: { name }, spec: randomSpec(random) });
  }

  /** Checks that an eviction uses one of the budget's allowed disruptions. */
  #checkCharge({ problems }: WorkloadWorld, { metadata, status }: TestObject): void {
    const before = this.#budgets.get(metadata.name ?? '');
    if (before === undefined || before.metadata.uid !== metadata.uid) return;
    const added = Object.keys(status?.disruptedPods ?? {}).filter((pod) => !before.status?.disruptedPods?.[pod]);
    if (added.length === 0) return;
    const { disruptionsAllowed = 0, observedGeneration } = before.status ?? {};
    if (disruptionsAllowed < 1 || status.disruptionsAllowed !== disruptionsAllowed - 1 || added.length > 1)
      problems.push(`the eviction of ${added} makes ${status.disruptionsAllowed} of ${disruptionsAllowed} disruptions`);
    if (observedGeneration !== before.metadata.generation)
      problems.push(`${added} was evicted before the change of budget ${metadata.name} was seen`);
  }

  /** Checks that a healthy pod is evicted only with its budget. */
  #onLeaving({ problems }: WorkloadWorld, pod: TestObject): void {
    const { uid = '', name = '' } = pod.metadata;
    const reasons = pod.status?.conditions?.map(({ reason }: { reason?: string }) => reason);
    if (this.#leaving.has(uid)) return;
    this.#leaving.add(uid);
    if (!reasons?.includes('EvictionByEvictionAPI')) return;
    const [budget, another] = this.#covering(pod);
    if (budget === undefined || another !== undefined || !isReady(pod) || pod.status.phase !== 'Running') return;
    if (!budget.status?.disruptedPods?.[name])
      problems.push(`pod ${name} was healthy, and was evicted without budget ${budget.metadata.name}`);
  }

  #covering(pod: TestObject): TestObject[] {
    return [...this.#budgets.values()].filter((budget) => covers(budget, pod));
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    const act = random.pick(acts);
    const name = random.pick(names);
    if (act === 'evict') return random.chance(0.5) ? this.#evictOne(world) : this.#evictSeveral(world);
    if (act === 'race') return this.#evictAsItBecomesReady(world);
    if (act === 'create') return this.#create(world, name);
    if (act === 'wait') return void cluster.clock.advance(random.between(1, 130) * 1000);
    if (act === 'hold') return this.#holdOrLetGo(world);
    const budgets = await cluster.stores.of(resource);
    if (act === 'delete' && this.#budgets.has(name)) await budgets.delete(name);
    if (act === 'change' && this.#budgets.has(name))
      await budgets.update(name, (budget) => {
        budget.spec = randomSpec(random);
      });
    const [owners, owner] = random.pick([
      ['apps/deployments', 'web'],
      ['apps/statefulsets', 'db'],
    ]);
    const image = `i:${random.between(1, 3)}`;
    if (act === 'scale' || act === 'image')
      await (await cluster.stores.of(owners)).update(owner, ({ spec }) => {
        if (act === 'scale') spec.replicas = random.between(0, 6);
        else spec.template.spec.containers[0].image = image;
      });
  }

  /** Evicts a pod while all controllers are idle, so that the response is predictable. */
  async #evictOne(world: WorkloadWorld): Promise<void> {
    await world.settle();
    if (world.pods.size === 0) return;
    const pod = world.random.pick([...world.pods.values()]);
    const want = outcomeOfEviction(pod, this.#covering(pod));
    const got = await this.#evict(world, pod);
    if (got.code !== want.code || got.cause !== want.cause)
      world.problems.push(`the eviction of ${pod.metadata.name} is ${JSON.stringify([got, 'and not', want])}`);
  }

  /** Evicts several pods at once, so that their budgets must distinguish them. Some evicted pods are not deleted. */
  async #evictSeveral(world: WorkloadWorld): Promise<void> {
    const { random, pods, problems } = world;
    await world.settle();
    const all = [...pods.values()];
    const chosen = all.length === 0 ? [] : Array.from({ length: random.between(2, 6) }, () => random.pick(all));
    const before = await this.#counts(world);
    await Promise.all(chosen.map((pod) => this.#evict(world, pod, random.chance(0.2) ? 'another' : undefined)));
    const after = await this.#counts(world);
    for (const [name, { desiredHealthy, currentHealthy, disruptionsAllowed }] of before) {
      const left = after.get(name)?.currentHealthy ?? 0;
      if (left < Math.min(currentHealthy, desiredHealthy) || left < currentHealthy - disruptionsAllowed)
        problems.push(`evictions leave ${left} of ${currentHealthy} healthy pods, budget ${name} asks for ${desiredHealthy}`);
    }
  }

  async #evictAsItBecomesReady(world: WorkloadWorld): Promise<void> {
    await world.settle();
    const unready = [...world.pods.values()].filter((pod) => !isReady(pod) && ['Pending', 'Running'].includes(pod.status.phase));
    if (unready.length === 0) return;
    const pod = world.random.pick(unready);
    await Promise.all([
      ignoringAbsence(world.cluster.run(pod.metadata.name ?? '')),
      this.#evict(world, pod),
      ignoringAbsence(world.cluster.run(pod.metadata.name ?? '')),
    ]);
  }

  /** @param uid the uid of the intended pod. Default: this one */
  async #evict(world: WorkloadWorld, { metadata: { name = '' } }: TestObject, uid?: string) {
    const status = await world.evict(name, uid === undefined ? {} : { preconditions: { uid } });
    const { code = 0, reason, message, details } = status;
    const cause = details?.causes?.[0];
    const isKnown =
      (code === 201 && uid === undefined) ||
      (code === 429 && reason === 'TooManyRequests' && cause?.reason === 'DisruptionBudget') ||
      (code === 500 && message?.startsWith('This pod has more than one PodDisruptionBudget')) ||
      (code === 404 && reason === 'NotFound') ||
      (code === 409 && uid !== undefined);
    if (!isKnown) world.problems.push(`the eviction of ${name} is answered with ${JSON.stringify(status)}`);
    return { code, ...(cause?.message !== undefined && { cause: cause.message }) };
  }

  async #holdOrLetGo({ random, cluster, pods }: WorkloadWorld): Promise<void> {
    const store = await cluster.stores.of('pods');
    for (const [name, { metadata }] of pods) {
      if (!random.chance(0.3) || (metadata.deletionTimestamp && !metadata.finalizers?.length)) continue;
      await ignoringAbsence(
        store.update(name, (pod) => {
          if (pod.metadata.finalizers?.length) delete pod.metadata.finalizers;
          else if (!pod.metadata.deletionTimestamp) pod.metadata.finalizers = [finalizer];
        }),
      );
    }
  }

  async #counts(world: WorkloadWorld) {
    const cluster = await budgetedCluster(world);
    return new Map([...this.#budgets].map(([name, budget]) => [name, budgetCounts(budget, cluster)]));
  }

  /** Checks a budget's counts after a sync. Changes of scales and leaving pods cause no sync. */
  async check(world: WorkloadWorld): Promise<void> {
    const budgets = await world.cluster.stores.of(resource);
    const now = world.cluster.clock.now();
    for (const name of this.#budgets.keys())
      await budgets.update(name, ({ metadata }) => {
        metadata.annotations = { touched: String(now) };
      });
    await world.cluster.settle();
    const want = await this.#counts(world);
    for (const [name, { metadata, status }] of this.#budgets) {
      const counts = want.get(name);
      for (const [count, number] of Object.entries(counts ?? {}))
        if (status[count] !== number) world.problems.push(`${count} of budget ${name} is ${status[count]} and not ${number}`);
      const [{ status: isAllowed, reason }] = status.conditions;
      const verdict = counts?.disruptionsAllowed ? ['True', 'SufficientPods'] : ['False', 'InsufficientPods'];
      if ([isAllowed, reason].join() !== verdict.join()) world.problems.push(`the condition of ${name} is ${reason}`);
      if (status.observedGeneration !== metadata.generation) world.problems.push(`budget ${name} has not been seen`);
      for (const [pod, time] of Object.entries(status.disruptedPods ?? {}))
        if (world.pods.get(pod)?.metadata.deletionTimestamp !== undefined || !world.pods.has(pod))
          world.problems.push(`budget ${name} still waits for ${pod}`);
        else if (Date.parse(time as string) + deletionTimeout < now) world.problems.push(`budget ${name} waits for ${pod}`);
    }
  }

  async end({ cluster, pods }: WorkloadWorld): Promise<void> {
    const store = await cluster.stores.of('pods');
    for (const [name, { metadata }] of pods)
      if (metadata.finalizers?.length) await store.update(name, (pod) => void delete pod.metadata.finalizers);
    cluster.clock.advance(deletionTimeout + 1000);
    await cluster.settle();
  }

  async problemsAtEnd(world: WorkloadWorld): Promise<string[]> {
    const problems = await world.orphans('apps/replicasets', 'apps/statefulsets');
    await this.check(world);
    for (const [name, { status }] of this.#budgets)
      if (status.disruptedPods !== undefined) problems.push(`budget ${name} waits for ${Object.keys(status.disruptedPods)}`);
    return problems;
  }

  async remove({ cluster }: WorkloadWorld): Promise<void> {
    await (await cluster.stores.of('apps/deployments')).delete('web', { propagationPolicy: 'Background' });
    await (await cluster.stores.of('apps/statefulsets')).delete('db', { propagationPolicy: 'Background' });
  }
}

async function budgetedCluster({ cluster, pods }: WorkloadWorld): Promise<BudgetedCluster> {
  const owners = [...(await cluster.list('apps/replicasets')), ...(await cluster.list('apps/statefulsets'))];
  const deployments = await cluster.list('apps/deployments');
  return { pods: [...pods.values()], owners, deployments, now: cluster.clock.now() };
}

function randomSpec(random: WorkloadWorld['random']): object {
  const bounds = random.chance(0.5)
    ? { minAvailable: random.pick([0, 1, 2, 3, 4, '0%', '30%', '50%', '100%']) }
    : { maxUnavailable: random.pick([0, 1, 2, '0%', '25%', '34%', '100%']) };
  const unhealthyPodEvictionPolicy = random.pick([undefined, 'IfHealthyBudget', 'AlwaysAllow']);
  const matchLabels = random.pick([app, app, { tier: 'web' }, { tier: 'db' }]);
  return { ...bounds, ...(unhealthyPodEvictionPolicy && { unhealthyPodEvictionPolicy }), selector: { matchLabels } };
}
