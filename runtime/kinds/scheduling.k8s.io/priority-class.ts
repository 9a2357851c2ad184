import type { Part } from '../../machinery/object.ts';
import { forbidden } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField, validateRequiredEnum } from '../validation/fields.ts';

/** Admission, priorities, leases, API services. */

const highestUserPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** (pkg/apis/scheduling/validation) */
export function validatePriorityClass(priorityClass: Part, path: FieldPath, errors: Errors): void {
  const name = priorityClass.metadata?.name ?? '';
  const { value = 0, preemptionPolicy } = priorityClass;
  if (name.startsWith('system-')) {
    if (systemPriorities[name] !== value) {
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${
        name in systemPriorities
          ? `value of ${name} PriorityClass must be ${systemPriorities[name]}`
          : `${name} is not a known system priority class`
      }`;
      errors.push(forbidden(path.child('metadata', 'name'), detail));
    }
  } else if (value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    errors.push(forbidden(path.child('value'), detail));
  }
  if (preemptionPolicy !== undefined) {
    validateRequiredEnum(preemptionPolicy, ['PreemptLowerPriority', 'Never'], path.child('preemptionPolicy'), errors);
  }
}

export function validatePriorityClassUpdate(priorityClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  if ((priorityClass.value ?? 0) !== (old.value ?? 0)) {
    errors.push(forbidden(path.child('value'), 'may not be changed in an update.'));
  }
  validateImmutableField(priorityClass.preemptionPolicy, old.preemptionPolicy, path.child('preemptionPolicy'), errors);
}
