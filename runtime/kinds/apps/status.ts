import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { ReplicationControllerStatus } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeFields } from '../validation/fields.ts';

/**
 * The counters in the status of workloads: none is negative, and no part exceeds the whole.
 * (pkg/apis/apps/validation/validation.go, Validate*Status)
 */

type Status<T> = Unvalidated<T> | undefined;

const deploymentCounters = [
  ...(['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const),
  ...(['unavailableReplicas', 'terminatingReplicas', 'collisionCount'] as const),
];
const deploymentParts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** (ValidateDeploymentStatus) */
export function validateDeploymentStatus(status: Status<apps.DeploymentStatus>, field: Field): void {
  if (!status) return;
  validateNonnegativeFields(status, deploymentCounters, field);
  validateAtMostReplicas(status, deploymentParts, field);
  validateAvailableReplicas(status, 'readyReplicas', field);
}

const replicaSetParts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
const replicaSetCounters = ['replicas', ...replicaSetParts, 'observedGeneration', 'terminatingReplicas'] as const;

/**
 * Replication controllers do not count terminating pods. (ValidateReplicaSetStatus,
 * ValidateReplicationControllerStatus)
 */
export function validateReplicaSetStatus(status: Status<apps.ReplicaSetStatus> | Status<ReplicationControllerStatus>, field: Field): void {
  if (!status) return;
  validateNonnegativeFields<(typeof replicaSetCounters)[number]>(status, replicaSetCounters, field);
  validateAtMostReplicas(status, replicaSetParts, field);
  validateAvailableReplicas(status, 'readyReplicas', field);
}

const statefulSetParts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
const statefulSetCounters = ['replicas', ...statefulSetParts, 'observedGeneration', 'collisionCount'] as const;

/** (ValidateStatefulSetStatus) */
export function validateStatefulSetStatus(status: Status<apps.StatefulSetStatus>, field: Field): void {
  if (!status) return;
  validateNonnegativeFields(status, statefulSetCounters, field);
  validateAtMostReplicas(status, statefulSetParts, field);
  validateAvailableReplicas(status, 'status.readyReplicas', field);
}

const daemonSetCounters = [
  ...(['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'] as const),
  ...(['observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'] as const),
  'collisionCount' as const,
];

/** (validateDaemonSetStatus) */
export function validateDaemonSetStatus(status: Status<apps.DaemonSetStatus>, field: Field): void {
  if (status) validateNonnegativeFields(status, daemonSetCounters, field);
}

interface ReplicaCounters {
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly currentReplicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
}

function validateAtMostReplicas(status: ReplicaCounters, names: readonly (keyof ReplicaCounters)[], field: Field): void {
  const { replicas = 0 } = status;
  for (const name of names) {
    const value = status[name] ?? 0;
    if (value > replicas) field.child(name).invalid(value, 'cannot be greater than status.replicas');
  }
}

/** @param readyReplicas the name of the ready replicas in the message */
function validateAvailableReplicas(status: ReplicaCounters, readyReplicas: string, field: Field): void {
  const { availableReplicas = 0 } = status;
  if (availableReplicas <= (status.readyReplicas ?? 0)) return;
  field.child('availableReplicas').invalid(availableReplicas, `cannot be greater than ${readyReplicas}`);
}
