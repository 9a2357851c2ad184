import type { Part } from '../../machinery/object.ts';
import { invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateNonnegativeField } from '../validation/fields.ts';

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
export function validateReplicaCounts(object: Part, counts: Counts, path: FieldPath, errors: Errors): void {
  const { status } = object;
  if (!status) return;
  const at = path.child('status');
  for (const name of counts.counted) validateNonnegativeField(status[name], at.child(name), errors);
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of counts.amongReplicas) {
    if ((status[name] ?? 0) > replicas) {
      errors.push(invalid(at.child(name), status[name], 'cannot be greater than status.replicas'));
    }
  }
  if (counts.ready !== undefined && availableReplicas > readyReplicas) {
    errors.push(invalid(at.child('availableReplicas'), availableReplicas, `cannot be greater than ${counts.ready}`));
  }
}
