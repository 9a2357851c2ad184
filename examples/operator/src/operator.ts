import type { KubeConfig, V1Pod } from '@kubernetes/client-node';
import { type Clock, systemClock } from './clock.ts';
import { Cluster, codeOf } from './cluster.ts';
import { finalizer, group, keyOf, memberName, type Pool, plural, poolKeyOf, version } from './pool.ts';
import { Reflector } from './reflector.ts';
import * as ownSteps from './steps/index.ts';
import { WorkQueue } from './work-queue.ts';

export interface OperatorOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** The steps where operators often go wrong. Default: the correct ones. */
  readonly steps?: ownSteps.Steps;
}

const day = 24 * 60 * 60_000;

/** Keeps the number of pods of each pool equal to the pool's size. */
export class Operator {
  readonly #cluster: Cluster;
  readonly #clock: Clock;
  readonly #steps: ownSteps.Steps;
  readonly #queue: WorkQueue;
  readonly #pools: Reflector<Pool>;
  readonly #pods: Reflector<V1Pod>;

  constructor(config: KubeConfig, { clock = systemClock, steps = ownSteps }: OperatorOptions = {}) {
    const cluster = new Cluster(config, steps, clock);
    const queue = new WorkQueue(clock, (key) => this.#reconcile(key));
    const pools = { path: `/apis/${group}/${version}/${plural}`, list: cluster.listPools.bind(cluster) };
    const pods = { path: '/api/v1/pods', list: cluster.listPods.bind(cluster) };
    this.#cluster = cluster;
    this.#clock = clock;
    this.#steps = steps;
    this.#queue = queue;
    this.#pools = new Reflector<Pool>(config, pools, steps, clock, (pool) => queue.add(keyOf(pool)));
    this.#pods = new Reflector<V1Pod>(config, pods, steps, clock, (pod) => {
      const pool = poolKeyOf(pod);
      if (pool !== undefined) queue.add(pool);
    });
  }

  /** Resolves when the operator knows all pools and their members. */
  async start(): Promise<void> {
    // pods first, so that pools are not reconciled without them
    await this.#pods.start();
    await this.#pools.start();
  }

  /** Resolves when the work in progress is done. */
  async stop(): Promise<void> {
    this.#pods.stop();
    this.#pools.stop();
    await this.#queue.stop();
  }

  async #reconcile(key: string): Promise<void> {
    const pool = this.#pools.get(key);
    if (pool === undefined) return;
    const members = this.#pods.list().filter((pod) => poolKeyOf(pod) === key);
    if (pool.metadata.deletionTimestamp !== undefined) return this.#release(pool, members);
    // the event of this write reconciles the pool again
    if (!hasFinalizer(pool)) return this.#steps.claim(this.#cluster, pool);
    const left = this.#steps.lifetimeLeft(pool, this.#clock);
    if (left <= 0) return this.#cluster.deletePool(pool);
    // Node's timers are at most 24 days long
    if (left < Infinity) this.#queue.addAfter(key, Math.min(left, day));
    await this.#scale(pool, members);
    await this.#steps.writeStatus(this.#cluster, pool, {
      members: members.length,
      observedGeneration: pool.metadata.generation ?? 0,
    });
  }

  async #scale(pool: Pool, members: readonly V1Pod[]): Promise<void> {
    const { size } = pool.spec;
    const taken = new Set(members.map(({ metadata }) => metadata?.name));
    const free = Array.from({ length: size }, (_, ordinal) => ordinal).filter(
      (ordinal) => !taken.has(memberName(pool, ordinal)),
    );
    for (const ordinal of free.slice(0, Math.max(0, size - members.length))) {
      await this.#steps.addMember(this.#cluster, pool, ordinal);
    }
    for (const member of members.slice(size)) await this.#remove(member);
  }

  /** Deletes the members of a pool that is being deleted, then removes the finalizer. */
  async #release(pool: Pool, cached: readonly V1Pod[]): Promise<void> {
    if (!hasFinalizer(pool)) return;
    const members = await this.#steps.remainingMembers(this.#cluster, pool, cached);
    for (const member of members) await this.#remove(member);
    // the deletion of the last member reconciles the pool again
    if (members.length > 0) return;
    const finalizers = (pool.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    await this.#cluster.replacePool({ ...pool, metadata: { ...pool.metadata, finalizers } });
  }

  async #remove(member: V1Pod): Promise<void> {
    try {
      await this.#cluster.deleteMember(member);
    } catch (error) {
      if (codeOf(error) !== 404) throw error;
    }
  }
}

const hasFinalizer = ({ metadata }: Pool): boolean => metadata.finalizers?.includes(finalizer) ?? false;
