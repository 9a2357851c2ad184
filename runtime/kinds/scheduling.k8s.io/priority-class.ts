import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField, validateRequiredEnum } from '../validation/fields.ts';

/** Admission, priorities, leases, API services. */

const highestUserPriority = 1_000_000_000;
const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** (pkg/apis/scheduling/validation) */
export function validatePriorityClass(priorityClass: Part, field: Field): void {
  const name = priorityClass.metadata?.name ?? '';
  const { value = 0, preemptionPolicy } = priorityClass;
  if (name.startsWith('system-')) {
    if (systemPriorities[name] !== value) {
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${
        name in systemPriorities
          ? `value of ${name} PriorityClass must be ${systemPriorities[name]}`
          : `${name} is not a known system priority class`
      }`;
      field.child('metadata', 'name').forbidden(detail);
    }
  } else if (value > highestUserPriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserPriority}`;
    field.child('value').forbidden(detail);
  }
  if (preemptionPolicy !== undefined) {
    validateRequiredEnum(preemptionPolicy, ['PreemptLowerPriority', 'Never'], field.child('preemptionPolicy'));
  }
}

export function validatePriorityClassUpdate(priorityClass: Part, old: Part, field: Field): void {
  if ((priorityClass.value ?? 0) !== (old.value ?? 0)) {
    field.child('value').forbidden('may not be changed in an update.');
  }
  validateImmutableField(priorityClass.preemptionPolicy, old.preemptionPolicy, field.child('preemptionPolicy'));
}
