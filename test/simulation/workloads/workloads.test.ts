import { describe, test } from '@jest/globals';
import { rounds } from '../rounds.ts';
import { BudgetWorkload } from './budgets/budget-workload.ts';
import { DaemonSetWorkload } from './daemon-sets.ts';
import { DeploymentWorkload } from './deployments.ts';
import { JobWorkload } from './jobs.ts';
import { NodeWorkload } from './nodes/node-workload.ts';
import { StatefulSetWorkload } from './stateful-sets.ts';
import { workloadRound } from './workload.ts';

describe('users, pods and controllers', () => {
  test(
    'deployments stay within their limits, and come to what was asked for',
    rounds(20, (seed) => workloadRound(seed, new DeploymentWorkload())),
    600_000,
  );

  test(
    'jobs stay within their parallelism, and count each pod that succeeds once',
    rounds(20, (seed) => workloadRound(seed, new JobWorkload())),
    600_000,
  );

  test(
    'stateful sets keep the order of their ordinals, and come to what was asked for',
    rounds(10, (seed) => workloadRound(seed, new StatefulSetWorkload())),
    600_000,
  );

  test(
    'daemon sets have one pod on a node, and come to what was asked for',
    rounds(10, (seed) => workloadRound(seed, new DaemonSetWorkload())),
    600_000,
  );

  test(
    'budgets count what there is, and no eviction leaves fewer pods than they ask for',
    rounds(10, (seed) => workloadRound(seed, new BudgetWorkload())),
    600_000,
  );

  test(
    'pods are on nodes that they fit, leave those that they must, and live through the loss of nodes',
    rounds(4, (seed) => workloadRound(seed, new NodeWorkload())),
    600_000,
  );
});
