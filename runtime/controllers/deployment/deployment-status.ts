import type { DeploymentStatus } from '../../../generated/v1.35/apps/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { omitZeros } from '../../machinery/json/omit-zeros.ts';
import { newCondition, setCondition } from './conditions.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { countReplicas, countTerminating, wantedReplicas } from './replica-sets.ts';
import { maxUnavailable } from './rollout-limits.ts';

/** Computes the status from the ReplicaSets. (pkg/controller/deployment/sync.go calculateStatus) */
export function calculateStatus({ deployment, status, newSet, allSets, desired, now }: DeploymentSync): DeploymentStatus {
  const available = countReplicas(allSets, 'availableReplicas');
  const terminating = countTerminating(allSets);
  const { collisionCount, conditions } = status;
  const calculated: DeploymentStatus = {
    ...omitZeros({
      observedGeneration: deployment.metadata.generation,
      replicas: countReplicas(allSets, 'replicas'),
      updatedReplicas: newSet?.status?.replicas,
      readyReplicas: countReplicas(allSets, 'readyReplicas'),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, wantedReplicas(allSets) - available),
    }),
    ...defined({ terminatingReplicas: terminating, collisionCount }),
    ...(conditions ? { conditions } : {}),
  };
  const content =
    available >= desired - maxUnavailable(deployment)
      ? { status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
      : {
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        };
  setCondition(calculated, newCondition('Available', content, now));
  return calculated;
}

/** (syncDeploymentStatus) */
export async function syncDeploymentStatus(sync: DeploymentSync): Promise<void> {
  const status = calculateStatus(sync);
  if (!equalJson(sync.status, status)) await sync.replaceStatus(status);
}
