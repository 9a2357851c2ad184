import type * as scheduling from '../../../generated/v1.35/scheduling.k8s.io/v1/types.ts';
import { forbidden } from '../../machinery/errors/status.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateImmutableEnum, validateRequiredEnum } from '../validation/fields.ts';

/** (pkg/apis/scheduling/validation) */

type PriorityClass = Unvalidated<scheduling.PriorityClass>;

const highestUserDefinablePriority = 1_000_000_000;
const systemCriticalPriority = 2 * highestUserDefinablePriority;

/** The priority classes of every cluster. (SystemPriorityClasses) */
export const systemPriorityClasses = [
  {
    metadata: { name: 'system-node-critical' },
    value: systemCriticalPriority + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical' },
    value: systemCriticalPriority,
    description: 'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
] as const;

/** (pkg/registry/scheduling/priorityclass) */
export const priorityClassStrategy: RESTStrategy = {
  /** Updates do not change the generation. */
  prepareForCreate({ metadata }) {
    metadata.generation = 1;
  },
  validateCreate: (priorityClass: PriorityClass, errors) => validatePriorityClass(priorityClass, Field.at(FieldPath.root, errors)),
  validateUpdate: (priorityClass: PriorityClass, old: PriorityClass, errors) =>
    validatePriorityClassUpdate(priorityClass, old, Field.at(FieldPath.root, errors)),
  checkDelete(name) {
    if (!systemPriorityClasses.some(({ metadata }) => metadata.name === name)) return;
    const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' };
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  },
};

function validatePriorityClass(priorityClass: PriorityClass, field: Field): void {
  const name = priorityClass.metadata?.name ?? '';
  const { value = 0, preemptionPolicy, globalDefault = false } = priorityClass;
  if (name.startsWith('system-')) {
    const error = systemPriorityClassError(name, value, globalDefault);
    if (error !== undefined) field.child('metadata', 'name').forbidden(reserved(error));
  } else if (value > highestUserDefinablePriority) {
    const detail = `maximum allowed value of a user defined priority is ${highestUserDefinablePriority}`;
    field.child('value').forbidden(detail);
  }
  if (preemptionPolicy !== undefined) {
    validateRequiredEnum(preemptionPolicy, ['PreemptLowerPriority', 'Never'], field.child('preemptionPolicy'));
  }
}

const reserved = (error: string): string => `priority class names with 'system-' prefix are reserved for system use only. error: ${error}`;

/** (IsKnownSystemPriorityClass) */
function systemPriorityClassError(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemPriorityClasses.find(({ metadata }) => metadata.name === name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known.value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePriorityClassUpdate(priorityClass: PriorityClass, old: PriorityClass, field: Field): void {
  if ((priorityClass.value ?? 0) !== (old.value ?? 0)) {
    field.child('value').forbidden('may not be changed in an update.');
  }
  validateImmutableEnum(priorityClass.preemptionPolicy, old.preemptionPolicy, field.child('preemptionPolicy'));
}
