import { DaemonSetsController } from '../../../../runtime/controllers/daemon/daemon-sets-controller.ts';
import { deploymentController } from '../../../../runtime/controllers/deployment/deployment-controller.ts';
import { DisruptionController } from '../../../../runtime/controllers/disruption/disruption-controller.ts';
import { jobController } from '../../../../runtime/controllers/job/job-controller.ts';
import { NodeLifecycleController } from '../../../../runtime/controllers/nodelifecycle/node-lifecycle-controller.ts';
import { podGCController } from '../../../../runtime/controllers/podgc/pod-gc-controller.ts';
import { replicaSetController } from '../../../../runtime/controllers/replicaset/replica-set-controller.ts';
import { statefulSetController } from '../../../../runtime/controllers/statefulset/stateful-set-controller.ts';
import { TaintEvictionController } from '../../../../runtime/controllers/tainteviction/taint-eviction-controller.ts';
import { Scheduler } from '../../../../runtime/simulation/scheduler/scheduler.ts';
import { SimulatedKubelets } from '../../../../runtime/simulation/simulated-kubelets.ts';
import type { TestObject } from '../../../support/test-object.ts';
import type { Workload } from '../workload.ts';
import { ignoringAbsence, isActive, type WorkloadWorld } from '../workload-world.ts';
import { isLost, lostAnnotation, NodeStates } from './node-states.ts';
import { Placements } from './placements.ts';
import { Residents } from './residents.ts';
import { TaintEvictions } from './taint-evictions.ts';

const unreachable = 'node.kubernetes.io/unreachable';
const busy = { key: 'busy', effect: 'NoExecute' };
const reserved = { key: 'reserved', effect: 'NoSchedule' };
const outOfService = { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
const taints = [busy, busy, reserved, outOfService];
/** Milliseconds until a lost node is known: the controller looks every 5 s, twice, and waits for more than 50 s. */
const untilUnknown = 61_000;
/** Milliseconds until the taints of a node that is ready again are removed. */
const untilReachable = 11_000;
/** Seconds until everything is complete: a job's pod after many failures is replaced after 10 minutes. */
const longestEnd = 1800;

interface World {
  readonly nodes: NodeStates;
  readonly placements: Placements;
  readonly evictions: TaintEvictions;
  readonly residents: Residents;
}

/**
 * Nodes that are added, deleted, cordoned, tainted, drained and lost below the pods of all kinds of workloads. No pod
 * is bound to an unsuitable node. Pods leave nodes when taints demand it and not sooner. Pods that a lost node may
 * still run are not replaced under their names. In the end, everything is complete.
 */
export class NodeWorkload implements Workload {
  #parts: World | undefined;

  controllers: Workload['controllers'] = (context) => [
    deploymentController(context),
    replicaSetController(context),
    statefulSetController(context),
    new DaemonSetsController(context),
    jobController(context),
    podGCController(context),
    new DisruptionController(context),
    new NodeLifecycleController(context),
    new TaintEvictionController(context),
    new Scheduler(context, 1),
    new SimulatedKubelets(context, { nodes: 0 }),
  ];

  get #world(): World {
    if (this.#parts === undefined) throw new Error('the round has not begun');
    return this.#parts;
  }

  async begin(world: WorkloadWorld): Promise<void> {
    const { random, cluster } = world;
    const nodes = await NodeStates.of(world, (node) => this.#world.evictions.onNode(node));
    const parts = { nodes, placements: new Placements(world, nodes), evictions: new TaintEvictions(world, nodes) };
    this.#parts = { ...parts, residents: new Residents(world, nodes) };
    await world.watch('pods', (pod, type) => {
      const { placements, evictions, residents } = this.#world;
      const watchers = [placements, evictions];
      if (type === 'ADDED') residents.onPod(pod);
      for (const watcher of watchers) type === 'DELETED' ? watcher.onGone(pod) : watcher.onPod(pod);
    });
    for (let count = random.between(1, 4); count > 0; count--) await this.#addNode(world);
    await this.#world.residents.create();
    if (random.chance(0.5)) {
      const spec = { maxUnavailable: random.pick([0, 1, '50%']), selector: { matchLabels: { app: 'web' } } };
      await (await cluster.stores.of('policy/poddisruptionbudgets')).create({ metadata: { name: 'web' }, spec });
    }
    if (random.chance(0.7)) await cluster.pass(20);
  }

  async #addNode({ random, cluster }: WorkloadWorld): Promise<void> {
    const name = `n${random.between(0, 5)}`;
    if (this.#world.nodes.current.has(name)) return;
    const room = { cpu: random.pick(['1', '2', '4']), memory: '8Gi', pods: random.pick(['3', '6', '110']) };
    await (await cluster.stores.of('nodes')).create({
      metadata: { name, labels: { role: random.pick(['main', 'other']) } },
      status: { capacity: room, allocatable: room },
    });
  }

  async act(world: WorkloadWorld): Promise<void> {
    const { random } = world;
    const names = [...this.#world.nodes.current.keys()];
    const act = random.pick(['change', 'change', 'add', 'drop', 'cordon', 'taint', 'label', 'drain', 'free', 'free']);
    if (act === 'change') return this.#world.residents.change();
    if (act === 'add') return this.#addNode(world);
    if (names.length === 0) return;
    // so that the controllers have the checks' state
    await world.settle();
    const name = random.pick(names);
    if (act === 'drop') return ignoringAbsence(this.#drop(world, name));
    if (act === 'drain') return this.#drain(world, name);
    const role = random.pick(['main', 'other']);
    const taint = random.pick(taints);
    await this.#change(world, name, (node) => {
      if (act === 'cordon') node.spec.unschedulable = true;
      if (act === 'label') node.metadata.labels = { ...node.metadata.labels, role };
      if (act === 'taint') addTaint(node, taint);
      if (act === 'free') free(node);
    });
  }

  async disturb(world: WorkloadWorld): Promise<void> {
    const { random, cluster, pods } = world;
    const happening = random.pick(['lose', 'lose', 'return', 'return', 'wait', 'wait', 'wait', 'delete']);
    if (happening === 'wait') return cluster.pass(random.between(1, 70));
    if (happening === 'delete' && pods.size > 0) {
      const store = await cluster.stores.of('pods');
      await ignoringAbsence(store.delete(random.pick([...pods.keys()])));
    }
    const names = [...this.#world.nodes.current.keys()];
    if (names.length === 0) return;
    await world.settle();
    const name = random.pick(names);
    if (happening === 'lose') await this.#change(world, name, lose);
    if (happening === 'return') await this.#change(world, name, giveBack);
  }

  async #drop({ cluster }: WorkloadWorld, name: string): Promise<void> {
    await (await cluster.stores.of('nodes')).delete(name);
  }

  /** @param name the name of a node, which may be deleted */
  async #change({ cluster }: WorkloadWorld, name: string, change: (node: TestObject) => void): Promise<void> {
    await ignoringAbsence((await cluster.stores.of('nodes')).update(name, change));
  }

  /** Acts like `kubectl drain`, a few times. */
  async #drain(world: WorkloadWorld, name: string): Promise<void> {
    await this.#change(world, name, (node) => {
      node.spec.unschedulable = true;
    });
    for (let tries = 0; tries < 3; tries++) {
      const residents = [...world.pods.values()].filter(
        (pod) => pod.spec.nodeName === name && isActive(pod) && pod.metadata.labels?.app !== 'agent',
      );
      for (const pod of residents) {
        const status = await world.evict(pod.metadata.name ?? '');
        if (![201, 404, 429].includes(status.code ?? 0)) world.problems.push(`an eviction ends as ${JSON.stringify(status)}`);
      }
      await world.settle();
    }
  }

  async check({ problems }: WorkloadWorld): Promise<void> {
    const { nodes, evictions } = this.#world;
    evictions.check();
    for (const [name, node] of nodes.current) {
      const ready = node.status.conditions?.find(({ type }: { type: string }) => type === 'Ready')?.status;
      const keys = (node.spec.taints ?? []).map(({ key, effect }: { key: string; effect: string }) => `${key}:${effect}`);
      const isKnownAsLost = ready === 'Unknown' && keys.includes(`${unreachable}:NoSchedule`);
      if (isLost(node) && nodes.age(name) > untilUnknown && !isKnownAsLost)
        problems.push(`node ${name} is lost, and is ${ready} with the taints ${keys}`);
      const isWell = ready === 'True' && !keys.some((key: string) => key.startsWith('node.kubernetes.io/unreachable'));
      if (!isLost(node) && nodes.age(name) > untilReachable && !isWell)
        problems.push(`node ${name} is there, and is ${ready} with the taints ${keys}`);
    }
  }

  async end(world: WorkloadWorld): Promise<void> {
    const { cluster } = world;
    for (const name of this.#world.nodes.current.keys())
      await this.#change(world, name, (node) => {
        free(node);
        giveBack(node);
      });
    const room = { cpu: '32', memory: '64Gi', pods: '110' };
    await (await cluster.stores.of('nodes')).create({ metadata: { name: 'large' }, status: { allocatable: room } });
    for (let seconds = 0; seconds < longestEnd; seconds += 10) {
      await cluster.pass(10);
      await this.check(world);
      if ((await this.problemsAtEnd(world)).length === 0) return;
    }
  }

  async problemsAtEnd(world: WorkloadWorld): Promise<string[]> {
    const { nodes, residents } = this.#world;
    const problems = await residents.unfinished();
    problems.push(...(await world.orphans('apps/replicasets', 'apps/statefulsets', 'apps/daemonsets', 'batch/jobs')));
    const addresses = new Map<string, string>();
    for (const [name, { spec, status }] of world.pods) {
      if (!nodes.current.has(spec.nodeName)) problems.push(`pod ${name} is still on ${spec.nodeName}, which is gone`);
      if (status.phase !== 'Running') continue;
      if (addresses.has(status.podIP)) problems.push(`${name} and ${addresses.get(status.podIP)} are both ${status.podIP}`);
      addresses.set(status.podIP, name);
    }
    return problems;
  }

  async remove(): Promise<void> {
    await this.#world.residents.remove();
  }
}

function lose({ metadata }: TestObject): void {
  metadata.annotations = { ...metadata.annotations, [lostAnnotation]: 'lost' };
}

function giveBack({ metadata }: TestObject): void {
  delete metadata.annotations?.[lostAnnotation];
}

/** Adds a taint, out-of-service only to a lost node. */
function addTaint(node: TestObject, taint: { readonly key: string; readonly effect: string }): void {
  if (taint === outOfService && !isLost(node)) return;
  const others = (node.spec.taints ?? []).filter(({ key }: { key: string }) => key !== taint.key);
  node.spec.taints = [...others, taint];
}

/** Reverts users' changes to a node. */
function free({ spec }: TestObject): void {
  delete spec.unschedulable;
  const isOurs = ({ key }: { key: string }): boolean => taints.some((taint) => taint.key === key);
  if (spec.taints) spec.taints = spec.taints.filter((taint: { key: string }) => !isOurs(taint));
}
