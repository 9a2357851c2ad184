import type { TestObject } from '../../../support/test-object.ts';
import type { WorkloadWorld } from '../workload-world.ts';

/** Stops a node's kubelet. (docs/simulation.md) */
export const lostAnnotation = 'simulation.kubeloom.dev/node';

export const isLost = (node: TestObject | undefined): boolean => node?.metadata.annotations?.[lostAnnotation] === 'lost';

/** Nodes by name with their recent states: a concurrent actor need not know a node's latest change. */
export class NodeStates {
  readonly current = new Map<string, TestObject>();
  /** Earlier states in this moment, by name. */
  readonly #before = new Map<string, (TestObject | undefined)[]>();
  /** The time of the last change between lost and not lost, by name, in milliseconds. */
  readonly #since = new Map<string, number>();
  readonly #now: () => number;
  #moment = 0;

  private constructor(now: () => number) {
    this.#now = now;
  }

  /** @param onChange receives each new or changed node */
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

  /** Returns all states of a node in this moment; undefined for its absence. */
  ofMoment(name: string): (TestObject | undefined)[] {
    this.#forgetOldMoments();
    return [...(this.#before.get(name) ?? []), this.current.get(name)];
  }

  /** Returns the milliseconds since the node's kubelet last stopped or started. */
  age(name: string): number {
    return this.#now() - (this.#since.get(name) ?? 0);
  }

  #forgetOldMoments(): void {
    if (this.#moment === this.#now()) return;
    this.#moment = this.#now();
    this.#before.clear();
  }
}
