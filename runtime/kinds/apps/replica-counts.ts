import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeField } from '../validation/fields.ts';

/** What the status of a workload counts. (pkg/apis/apps/validation/validation.go, Validate*Status) */
interface Counts {
  /** None may be negative. */
  readonly counted: readonly string[];
  /** None may be more than all replicas. */
  readonly amongReplicas: readonly string[];
  /** What the message calls readyReplicas, where available ones are counted. */
  readonly ready?: string;
}

const always = ['observedGeneration', 'collisionCount'];

const replicaSet: Counts = {
  counted: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', ...always],
  amongReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
};

export const countsOf = {
  deployment: {
    counted: [
      ...['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'],
      ...['unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
    ],
    amongReplicas: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
  },
  replicaSet,
  replicationController: replicaSet,
  statefulSet: {
    counted: ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas', ...always],
    amongReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ready: 'status.readyReplicas',
  },
  daemonSet: {
    counted: [
      ...['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
      ...['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', ...always],
    ],
    amongReplicas: [],
  },
} as const satisfies Readonly<Record<string, Counts>>;

/** Controllers, and tests in their place, may not count more of a kind than there are. */
export function validateReplicaCounts(object: Part, counts: Counts, field: Field): void {
  const { status } = object;
  if (!status) return;
  const at = field.child('status');
  for (const name of counts.counted) validateNonnegativeField(status[name], at.child(name));
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of counts.amongReplicas) {
    if ((status[name] ?? 0) > replicas) {
      at.child(name).invalid(status[name], 'cannot be greater than status.replicas');
    }
  }
  if (counts.ready !== undefined && availableReplicas > readyReplicas) {
    at.child('availableReplicas').invalid(availableReplicas, `cannot be greater than ${counts.ready}`);
  }
}
