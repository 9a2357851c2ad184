import { expect } from '@jest/globals';
import type { WorkloadContext } from '../../../runtime/controllers/controller-context.ts';
import type { Controller } from '../../../runtime/reconcile/controller.ts';
import { Random } from '../../support/random.ts';
import { WorkloadWorld } from './workload-world.ts';

/** One kind of workload in a simulation. */
export interface Workload {
  /** Returns the workload's controllers. */
  controllers(context: WorkloadContext): readonly Controller[];
  /** Creates the objects, and begins to report violations to `world.problems`. */
  begin(world: WorkloadWorld): Promise<void>;
  /** Makes a random change of a user. */
  act(world: WorkloadWorld): Promise<void>;
  /** Causes an event without a user. Default: an event of a pod. */
  disturb?(world: WorkloadWorld): Promise<void>;
  /** Checks the state whenever all controllers are idle. */
  check(world: WorkloadWorld): Promise<void>;
  /** Removes obstacles between the objects and their goals. */
  end(world: WorkloadWorld): Promise<void>;
  /** Returns the violations when all pods are ready. */
  problemsAtEnd(world: WorkloadWorld): Promise<string[]>;
  /** Deletes the objects. */
  remove(world: WorkloadWorld): Promise<void>;
}

/** Runs random users and pods against controllers. No check may fail on the way, at the end, or after it. */
export async function workloadRound(seed: number, workload: Workload): Promise<void> {
  const random = new Random(seed);
  const world = await WorkloadWorld.open(random, (context) => workload.controllers(context));
  try {
    await workload.begin(world);
    for (let step = random.between(4, 16); step > 0; step--) {
      // users change objects while controllers work, but pods on which they rely do not fail then
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
