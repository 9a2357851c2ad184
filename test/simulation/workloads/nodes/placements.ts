import type { TestObject } from '../../../support/test-object.ts';
import { isOver, type WorkloadWorld } from '../workload-world.ts';
import { isLost, type NodeStates } from './node-states.ts';
import { isKeptOut } from './taints.ts';

/** Checks each pod that is bound to a node or leaves one. */
export class Placements {
  readonly #world: WorkloadWorld;
  readonly #nodes: NodeStates;
  readonly #bound = new Set<string>();

  constructor(world: WorkloadWorld, nodes: NodeStates) {
    this.#world = world;
    this.#nodes = nodes;
  }

  onPod(pod: TestObject): void {
    const { uid = '', name } = pod.metadata;
    const { nodeName } = pod.spec;
    if (!nodeName || this.#bound.has(uid)) return;
    this.#bound.add(uid);
    const reasons = this.#nodes.ofMoment(nodeName).map((node) => this.#whyNot(pod, node));
    if (reasons.every((reason) => reason !== undefined))
      this.#world.problems.push(`pod ${name} was bound to ${nodeName}, but ${reasons.at(-1)}`);
  }

  /** Checks that a pod on a lost node disappears only if it is known to have stopped. */
  onGone(pod: TestObject): void {
    const { nodeName } = pod.spec;
    if (!nodeName || isOver(pod)) return;
    const mayRun = (node: TestObject | undefined): boolean => isLost(node) && !isOutOfService(node);
    if (this.#nodes.ofMoment(nodeName).every(mayRun))
      this.#world.problems.push(`pod ${pod.metadata.name} is gone, though node ${nodeName} is lost and may run it`);
  }

  #whyNot(pod: TestObject, node: TestObject | undefined): string | undefined {
    if (node === undefined) return 'there was no such node';
    if (isKeptOut(pod, node)) return `it does not tolerate ${JSON.stringify(node.spec.taints ?? 'the cordon')}`;
    for (const [label, value] of Object.entries(pod.spec.nodeSelector ?? {}))
      if (node.metadata.labels?.[label] !== value) return `the node is not ${value}`;
    const { cpu, pods } = node.status.allocatable;
    const others = [...this.#world.pods.values()].filter((one) => one.spec.nodeName === node.metadata.name && !isOver(one));
    if (others.length > Number(pods)) return `there are ${others.length} pods, more than ${pods}`;
    const used = others.reduce((sum, one) => sum + cpuOf(one), 0);
    return used > Number(cpu) * 1000 ? `${used}m of ${cpu} CPUs are used` : undefined;
  }
}

const isOutOfService = (node: TestObject | undefined): boolean =>
  node?.spec?.taints?.some(({ key }: { key: string }) => key === 'node.kubernetes.io/out-of-service') === true;

/** Returns thousandths of a CPU. */
const cpuOf = ({ spec }: TestObject): number => Number.parseInt(spec.containers[0].resources.requests.cpu, 10);
