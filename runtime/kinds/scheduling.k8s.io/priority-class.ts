import type * as scheduling from '../../../generated/v1.35/scheduling.k8s.io/v1/types.ts';
import { memberOf } from '../../machinery/json/values.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField, validateRequiredEnum } from '../validation/fields.ts';

/** (pkg/apis/scheduling/validation) */

type PriorityClass = Unvalidated<scheduling.PriorityClass>;

const highestUserDefinablePriority = 1_000_000_000;
const systemPriorityClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

export function validatePriorityClass(priorityClass: PriorityClass, field: Field): void {
  const name = priorityClass.metadata?.name ?? '';
  const { value = 0, preemptionPolicy } = priorityClass;
  if (name.startsWith('system-')) validateSystemPriorityClass(name, value, field.child('metadata', 'name'));
  else if (value > highestUserDefinablePriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserDefinablePriority}`;
    field.child('value').forbidden(detail);
  }
  if (preemptionPolicy !== undefined) {
    validateRequiredEnum(preemptionPolicy, ['PreemptLowerPriority', 'Never'], field.child('preemptionPolicy'));
  }
}

/** (IsKnownSystemPriorityClass) */
function validateSystemPriorityClass(name: string, value: number, field: Field): void {
  const expected = memberOf(systemPriorityClasses, name);
  if (value === expected) return;
  const error =
    expected === undefined
      ? `${name} is not a known system priority class`
      : `value of ${name} PriorityClass must be ${expected}`;
  field.forbidden(`priority class names with 'system-' prefix are reserved for system use only. error: ${error}`);
}

export function validatePriorityClassUpdate(priorityClass: PriorityClass, old: PriorityClass, field: Field): void {
  if ((priorityClass.value ?? 0) !== (old.value ?? 0)) {
    field.child('value').forbidden('may not be changed in an update.');
  }
  validateImmutableField(priorityClass.preemptionPolicy, old.preemptionPolicy, field.child('preemptionPolicy'));
}
