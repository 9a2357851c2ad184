import { expect } from '@jest/globals';
import type { WorkloadContext } from '../../../runtime/controllers/controller-context.ts';
import type { Controller } from '../../../runtime/reconcile/controller.ts';
import { Random } from '../../support/random.ts';
import { WorkloadWorld } from './workload-world.ts';

/** What a simulation knows of one kind of workload. */
export interface Workload {
  /** The controllers that move it. */
  controllers(context: WorkloadContext): readonly Controller[];
  /** Makes the objects, and begins to look for what must not be, which it tells `world.problems`. */
  begin(world: WorkloadWorld): Promise<void>;
  /** One random thing that a user does. */
  act(world: WorkloadWorld): Promise<void>;
  /** Something that happens without a user. Default: something that happens to pods. */
  disturb?(world: WorkloadWorld): Promise<void>;
  /** Called whenever nobody has anything to do. */
  check(world: WorkloadWorld): Promise<void>;
  /** Takes back what keeps the objects from their goals. */
  end(world: WorkloadWorld): Promise<void>;
  /** What is wrong when all pods are ready. */
  problemsAtEnd(world: WorkloadWorld): Promise<string[]>;
  /** Deletes the objects. */
  remove(world: WorkloadWorld): Promise<void>;
}

/** Random users and pods against controllers: nothing may go wrong on the way, at the end, or after it. */
export async function workloadRound(seed: number, workload: Workload): Promise<void> {
  const random = new Random(seed);
  const world = await WorkloadWorld.open(random, (context) => workload.controllers(context));
  try {
    await workload.begin(world);
    for (let step = random.between(4, 16); step > 0; step--) {
      // users change objects while controllers are at work, but no pod fails that was counted on
      if (random.chance(0.4)) for (let acts = random.between(1, 3); acts > 0; acts--) await workload.act(world);
      else await (workload.disturb?.(world) ?? world.disturbPods());
      await world.settle();
      await workload.check(world);
    }
    await workload.end(world);
    await world.runToEnd();
    expect([...world.problems, ...(await workload.problemsAtEnd(world))]).toEqual([]);
    await workload.remove(world);
    await world.settle();
    expect([...world.pods.keys()]).toEqual([]);
  } finally {
    await world.close();
  }
}
