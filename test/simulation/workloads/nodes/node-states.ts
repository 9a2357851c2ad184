import type { TestObject } from '../../../support/test-object.ts';
import type { WorkloadWorld } from '../workload-world.ts';

/** What makes the kubelet of a node stop. (docs/simulation.md) */
export const lostAnnotation = 'simulation.kubeloom.dev/node';

export const isLost = (node: TestObject | undefined): boolean => node?.metadata.annotations?.[lostAnnotation] === 'lost';

/** Nodes by name, and what they were a moment ago: who acts at the same time as a node changes need not know of the change. */
export class NodeStates {
  readonly current = new Map<string, TestObject>();
  /** By name, all states in this moment, but the last. */
  readonly #before = new Map<string, (TestObject | undefined)[]>();
  /** When a node was last seen to be lost or not, by name, in milliseconds. */
  readonly #since = new Map<string, number>();
  readonly #now: () => number;
  #moment = 0;

  private constructor(now: () => number) {
    this.#now = now;
  }

  /** @param onChange is told of each node that is new or has changed */
  static async of(world: WorkloadWorld, onChange: (node: TestObject) => void): Promise<NodeStates> {
    const states = new NodeStates(() => world.cluster.clock.now());
    await world.watch('nodes', (node, type) => {
      states.#set(node.metadata.name ?? '', type === 'DELETED' ? undefined : node);
      if (type !== 'DELETED') onChange(node);
    });
    return states;
  }

  #set(name: string, node: TestObject | undefined): void {
    this.#forgetOldMoments();
    const old = this.current.get(name);
    this.#before.set(name, [...(this.#before.get(name) ?? []), old]);
    if (node === undefined) this.current.delete(name);
    else this.current.set(name, node);
    if (old?.metadata.uid !== node?.metadata.uid || isLost(old) !== isLost(node)) this.#since.set(name, this.#now());
  }

  /** What a node has been at some time in this moment; undefined for a time at which it was not there. */
  ofMoment(name: string): (TestObject | undefined)[] {
    this.#forgetOldMoments();
    return [...(this.#before.get(name) ?? []), this.current.get(name)];
  }

  /** For how long the kubelet of the node has been as it is, in milliseconds. */
  age(name: string): number {
    return this.#now() - (this.#since.get(name) ?? 0);
  }

  #forgetOldMoments(): void {
    if (this.#moment === this.#now()) return;
    this.#moment = this.#now();
    this.#before.clear();
  }
}
