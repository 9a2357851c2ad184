import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { ReplicationControllerStatus } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeFields } from '../validation/fields.ts';

/**
 * The counters in the status of workloads: none is negative, and no part is more than the whole.
 * (pkg/apis/apps/validation/validation.go, Validate*Status)
 */

type Status<T> = Unvalidated<T> | undefined;

/** (ValidateDeploymentStatus) */
export function validateDeploymentStatus(status: Status<apps.DeploymentStatus>, field: Field): void {
  if (!status) return;
  const counters = [
    ...(['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const),
    ...(['unavailableReplicas', 'terminatingReplicas', 'collisionCount'] as const),
  ];
  validateNonnegativeFields(status, counters, field);
  validateAtMostReplicas(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], field);
  validateAvailableReplicas(status, 'readyReplicas', field);
}

/** (ValidateReplicaSetStatus, ValidateReplicationControllerStatus) */
export function validateReplicaSetStatus(
  status: Status<apps.ReplicaSetStatus | ReplicationControllerStatus>,
  field: Field,
): void {
  if (!status) return;
  const partial = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
  validateNonnegativeFields(status, ['replicas', ...partial, 'observedGeneration'], field);
  validateAtMostReplicas(status, partial, field);
  validateAvailableReplicas(status, 'readyReplicas', field);
}

/** (ValidateStatefulSetStatus) */
export function validateStatefulSetStatus(status: Status<apps.StatefulSetStatus>, field: Field): void {
  if (!status) return;
  const counters = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  validateNonnegativeFields(status, [...counters, 'observedGeneration', 'collisionCount'], field);
  validateAtMostReplicas(status, ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'], field);
  validateAvailableReplicas(status, 'status.readyReplicas', field);
}

/** (ValidateDaemonSetStatus) */
export function validateDaemonSetStatus(status: Status<apps.DaemonSetStatus>, field: Field): void {
  if (!status) return;
  const counters = [
    ...(['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'] as const),
    ...(['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'] as const),
  ];
  validateNonnegativeFields(status, [...counters, 'observedGeneration', 'collisionCount'], field);
}

interface ReplicaCounters {
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly currentReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}

function validateAtMostReplicas(
  status: ReplicaCounters,
  names: readonly (keyof ReplicaCounters)[],
  field: Field,
): void {
  const { replicas = 0 } = status;
  for (const name of names) {
    if ((status[name] ?? 0) > replicas) {
      field.child(name).invalid(status[name], 'cannot be greater than status.replicas');
    }
  }
}

/** @param readyReplicas what the message calls them */
function validateAvailableReplicas(status: ReplicaCounters, readyReplicas: string, field: Field): void {
  const { availableReplicas = 0 } = status;
  if (availableReplicas <= (status.readyReplicas ?? 0)) return;
  field.child('availableReplicas').invalid(availableReplicas, `cannot be greater than ${readyReplicas}`);
}
