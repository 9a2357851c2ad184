import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../../machinery/validation/name-formats.ts';
import { validateFormat } from '../../validation/fields.ts';
import { validateTaintEffect } from '../node-selector.ts';

/** Tolerations and gates, which decide whether and where a pod may be scheduled. (pkg/apis/core/validation) */

type Toleration = Unvalidated<core.Toleration>;

/** (ValidateTolerations) */
export function validateTolerations(tolerations: readonly Toleration[], field: Field): void {
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', effect = '', tolerationSeconds } = toleration;
    const at = field.index(index);
    if (key !== '') validateFormat(key, qualifiedName, at.child('key'));
    else if (operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      at.child('operator').invalid(operator, detail);
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      at.child('effect').invalid(effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    validateTolerationOperator(toleration, at.child('operator'));
    if (effect) validateTaintEffect(effect, at.child('effect'));
  }
}

/** Errors of the value have the path of the operator. The gate of Lt and Gt is off. */
function validateTolerationOperator({ operator = '', value = '' }: Toleration, field: Field): void {
  switch (operator) {
    case 'Equal':
    case '': {
      const messages = labelValue(value);
      if (messages.length > 0) field.invalid(value, messages.join(';'));
      return;
    }
    case 'Exists':
      if (value) field.invalid(value, "value must be empty when `operator` is 'Exists'");
      return;
    case 'Lt':
    case 'Gt':
      field.notSupported(operator, field.follows('TolerationsMayCompare') ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']);
      return;
    default:
      field.notSupported(operator, ['Equal', 'Exists']);
  }
}

/** (validateReadinessGates) */
export function validateReadinessGates(gates: readonly Unvalidated<core.PodReadinessGate>[], field: Field): void {
  for (const [index, { conditionType = '' }] of gates.entries()) {
    validateFormat(conditionType, qualifiedName, field.index(index).child('conditionType'));
  }
}

/** (validateSchedulingGates) */
export function validateSchedulingGates(gates: readonly Unvalidated<core.PodSchedulingGate>[], field: Field): void {
  const seen = new Set<string>();
  for (const [index, { name = '' }] of gates.entries()) {
    const at = field.index(index);
    validateFormat(name, qualifiedName, at);
    if (seen.has(name)) at.duplicate(name);
    seen.add(name);
  }
}
