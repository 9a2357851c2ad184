import { DaemonSetsController } from '../../../runtime/controllers/daemon/daemon-sets-controller.ts';
import { scaledIntOrPercent } from '../../../runtime/machinery/scalars/int-or-string.ts';
import type { TestObject } from '../../support/test-object.ts';
import type { Workload } from './workload.ts';
import { isActive, isReady, type WorkloadWorld } from './workload-world.ts';

const labels = { app: 'agent' };
const name = 'agent';
/** In milliseconds. */
const longestBackoff = 15 * 60_000;
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

/**
 * Daemon sets: at most one pod on a node, or two in a surge. At most as many nodes without a pod as an update allows.
 * In the end, one pod of the last template on each selected node.
 */
export class DaemonSetWorkload implements Workload {
  #daemonSet: TestObject | undefined;
  readonly #nodes = new Map<string, TestObject>();

  controllers: Workload['controllers'] = (context) => [new DaemonSetsController(context)];

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    await world.watch('apps/daemonsets', (daemonSet) => {
      this.#daemonSet = daemonSet;
    });
    await world.watch('nodes', (node, type) => {
      if (type === 'DELETED') this.#nodes.delete(node.metadata.name ?? '');
      else this.#nodes.set(node.metadata.name ?? '', node);
    });
    await world.watch('pods', (pod, type) => {
      if (type === 'ADDED') this.#onCreated(world, pod);
      if (type === 'DELETED') this.#onDeleted(world, pod);
    });
    for (let count = random.between(0, 5); count > 0; count--) await this.#addNode(world);
    const daemonSets = await cluster.stores.of('apps/daemonsets');
    await daemonSets.create({
      metadata: { name },
      spec: {
        selector: { matchLabels: labels },
        template,
        updateStrategy: randomStrategy(world),
        revisionHistoryLimit: random.between(0, 3),
      },
    });
    if (random.chance(0.7)) await world.runToEnd();
  }

  /** Returns the nodes that the daemon set selects. */
  #selected(): string[] {
    const { nodeSelector = {} } = this.#daemonSet?.spec.template.spec ?? {};
    const isSelected = ({ metadata, spec }: TestObject): boolean =>
      !spec?.taints?.length && (nodeSelector.role === undefined || metadata.labels?.role === nodeSelector.role);
    return [...this.#nodes].filter(([, node]) => isSelected(node)).map(([node]) => node);
  }

  #onCreated({ problems, pods }: WorkloadWorld, pod: TestObject): void {
    const node = nodeOf(pod);
    const others = [...pods.values()].filter((one) => one.metadata.uid !== pod.metadata.uid && isOwn(one) && nodeOf(one) === node);
    const { maxSurge = 0 } = (this.#daemonSet as TestObject).spec.updateStrategy.rollingUpdate ?? {};
    if (others.length > (maxSurge === 0 ? 0 : 1)) problems.push(`node ${node} has ${others.length} pods, and gets another`);
    if (!this.#selected().includes(node)) problems.push(`node ${node} is not selected, and gets a pod`);
  }

  /** @param pod the pod before its deletion */
  #onDeleted({ problems, pods, deletedByUser, cluster }: WorkloadWorld, pod: TestObject): void {
    if (deletedByUser.delete(pod.metadata.name ?? '') || !isReady(pod)) return;
    // the controller's state may be from before the pod was ready
    const [{ lastTransitionTime }] = pod.status.conditions;
    if (Date.parse(lastTransitionTime) >= cluster.clock.now() - 1000) return;
    const daemonSet = this.#daemonSet as TestObject;
    const { type, rollingUpdate } = daemonSet.spec.updateStrategy;
    const selected = this.#selected();
    if (daemonSet.metadata.deletionTimestamp || !selected.includes(nodeOf(pod))) return;
    const others = [...pods.values()].filter((one) => one.metadata.uid !== pod.metadata.uid && isOwn(one) && isActive(one));
    const served = new Set(others.filter(isReady).map(nodeOf));
    const lost = selected.filter((node) => !served.has(node)).length;
    const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate ?? {};
    const most = maxSurge === 0 ? scaledIntOrPercent(maxUnavailable, selected.length, true) : 0;
    if (served.has(nodeOf(pod))) return;
    // after surges are disabled, remaining surge pods are deleted, ready or not
    if (maxSurge === 0 && others.some((one) => nodeOf(one) === nodeOf(pod))) return;
    if (type === 'OnDelete') problems.push(`the pod of ${nodeOf(pod)} was updated`);
    else if (lost > most) problems.push(`${lost} nodes of ${selected.length} have no pod, more than ${maxUnavailable}`);
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    // so that the controller has the checks' state
    await world.settle();
    const act = random.pick(['image', 'image', 'image', 'strategy', 'selector', 'node', 'node', 'label', 'taint', 'drop']);
    const image = `i:${random.between(1, 4)}`;
    const daemonSets = await cluster.stores.of('apps/daemonsets');
    if (['image', 'strategy', 'selector'].includes(act))
      await daemonSets.update(name, ({ spec }) => {
        if (act === 'image') spec.template.spec.containers[0].image = image;
        if (act === 'strategy') spec.updateStrategy = randomStrategy(world);
        if (act !== 'selector') return;
        if (random.chance(0.5)) spec.template.spec.nodeSelector = { role: 'daemon' };
        else delete spec.template.spec.nodeSelector;
      });
    if (act === 'node') await this.#addNode(world);
    const nodes = await cluster.stores.of('nodes');
    const node = this.#nodes.size > 0 ? random.pick([...this.#nodes.keys()]) : undefined;
    if (node === undefined) return;
    if (act === 'drop') await nodes.delete(node);
    if (act === 'label' || act === 'taint')
      await nodes.update(node, ({ metadata, spec }) => {
        if (act === 'label') metadata.labels = { role: random.pick(['daemon', 'other']) };
        else spec.taints = random.chance(0.5) ? [] : [{ key: 'busy', effect: 'NoExecute' }];
      });
  }

  async #addNode({ random, cluster }: WorkloadWorld): Promise<void> {
    const nodes = await cluster.stores.of('nodes');
    const node = `n${random.between(0, 9)}`;
    if (this.#nodes.has(node)) return;
    await nodes.create({ metadata: { name: node, labels: { role: random.pick(['daemon', 'other']) } } });
  }

  async check(): Promise<void> {}

  async end({ cluster }: WorkloadWorld): Promise<void> {
    const daemonSets = await cluster.stores.of('apps/daemonsets');
    await daemonSets.update(name, ({ spec }) => {
      spec.updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
    });
    // failed pods are replaced after a backoff
    cluster.clock.advance(longestBackoff);
    await cluster.settle();
  }

  async problemsAtEnd(world: WorkloadWorld): Promise<string[]> {
    const [{ spec, status }] = (await world.cluster.list('apps/daemonsets')) as [TestObject];
    const problems = await world.orphans('apps/daemonsets');
    const selected = this.#selected().sort();
    const places = [...world.pods.values()].map(nodeOf).sort();
    if (places.join() !== selected.join()) problems.push(`there are pods on ${places} and not on ${selected}`);
    const wanted = spec.template.spec.containers[0].image;
    for (const pod of world.pods.values()) {
      const { image } = pod.spec.containers[0];
      if (image !== wanted) problems.push(`there is a pod of ${image} and not ${wanted}`);
    }
    for (const count of ['desired', 'current', 'updated'])
      if ((status[`${count}NumberScheduled`] ?? 0) !== selected.length)
        problems.push(`${count}NumberScheduled is ${status[`${count}NumberScheduled`]} and not ${selected.length}`);
    for (const [count, want] of [
      ['numberReady', selected.length],
      ['numberAvailable', selected.length],
      ['numberUnavailable', 0],
      ['numberMisscheduled', 0],
    ] as const)
      if ((status[count] ?? 0) !== want) problems.push(`${count} is ${status[count]} and not ${want}`);
    const revisions = (await world.cluster.list('apps/controllerrevisions')).length;
    if (revisions > spec.revisionHistoryLimit + 1) problems.push(`there are ${revisions} revisions`);
    return problems;
  }

  async remove({ cluster }: WorkloadWorld): Promise<void> {
    await (await cluster.stores.of('apps/daemonsets')).delete(name, { propagationPolicy: 'Background' });
  }
}

const isOwn = ({ metadata }: TestObject): boolean => metadata.labels?.app === labels.app;

const nodeOf = ({ spec }: TestObject): string =>
  spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values[0];

function randomStrategy({ random }: WorkloadWorld): object {
  if (random.chance(0.2)) return { type: 'OnDelete' };
  if (random.chance(0.4)) return { type: 'RollingUpdate', rollingUpdate: { maxSurge: random.pick([1, 2, '50%']), maxUnavailable: 0 } };
  return { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: random.pick([1, 2, '50%']), maxSurge: 0 } };
}
