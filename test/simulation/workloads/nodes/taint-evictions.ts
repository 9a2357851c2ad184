import type { TestObject } from '../../../support/test-object.ts';
import type { WorkloadWorld } from '../workload-world.ts';
import type { NodeStates } from './node-states.ts';
import { timeToStay } from './taints.ts';

interface Stay {
  readonly name: string;
  /** The eviction time in milliseconds; Infinity if the pod may stay. */
  due: number;
  /** The last time at which the pod was allowed to stay. */
  spared: number;
  isEvicted: boolean;
}

/** The eviction times of pods by the NoExecute taints of their nodes. A time stays fixed while such taints exist. */
export class TaintEvictions {
  readonly #world: WorkloadWorld;
  readonly #nodes: NodeStates;
  /** Eviction times by the pod's uid. */
  readonly #stays = new Map<string, Stay>();

  constructor(world: WorkloadWorld, nodes: NodeStates) {
    this.#world = world;
    this.#nodes = nodes;
  }

  onNode({ metadata: { name } }: TestObject): void {
    for (const pod of this.#world.pods.values()) if (pod.spec.nodeName === name) this.onPod(pod);
  }

  onPod(pod: TestObject): void {
    const node = this.#nodes.current.get(pod.spec.nodeName ?? '');
    const { uid = '', name = '' } = pod.metadata;
    const now = this.#world.cluster.clock.now();
    if (node !== undefined) {
      const stay = this.#stays.get(uid) ?? { name, due: Number.POSITIVE_INFINITY, spared: -1, isEvicted: false };
      this.#stays.set(uid, stay);
      const time = timeToStay(pod, node);
      if (time === Number.POSITIVE_INFINITY && stay.due > now) Object.assign(stay, { due: time, spared: now });
      else if (time === 0) stay.due = Math.min(stay.due, now);
      else if (stay.due === Number.POSITIVE_INFINITY) stay.due = now + time;
    }
    this.#checkEviction(pod, now);
  }

  onGone({ metadata }: TestObject): void {
    this.#stays.delete(metadata.uid ?? '');
  }

  #checkEviction({ metadata: { uid = '', name }, status }: TestObject, now: number): void {
    const stay = this.#stays.get(uid);
    const reasons = status?.conditions?.map(({ reason }: { reason?: string }) => reason);
    if (stay === undefined || stay.isEvicted || !reasons?.includes('DeletionByTaintManager')) return;
    stay.isEvicted = true;
    if (stay.due > now && stay.spared !== now)
      this.#world.problems.push(`pod ${name} was evicted, though it tolerates the taints of its node`);
  }

  /** Checks evictions when all controllers are idle. */
  check(): void {
    const { pods, cluster, problems } = this.#world;
    for (const pod of pods.values()) {
      const stay = this.#stays.get(pod.metadata.uid ?? '');
      if (stay !== undefined && stay.due <= cluster.clock.now() && !pod.metadata.deletionTimestamp)
        problems.push(`pod ${stay.name} is still on ${pod.spec.nodeName}, whose taints it does not tolerate`);
    }
  }
}
