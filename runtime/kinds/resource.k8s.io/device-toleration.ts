import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelValue, labelKey as qualifiedName } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat, validateRequiredEnum } from '../validation/fields.ts';
import { taintEffects } from './device-taint-rule.ts';

/** (validateDeviceToleration) */
export function validateDeviceToleration(toleration: Unvalidated<resource.DeviceToleration>, field: Field): void {
  const { key, operator = '', value = '', effect } = toleration;
  if (key) validateFormat(key, qualifiedName, field.child('key'));
  if (operator === 'Exists') {
    if (value) field.child('value').invalid(value, 'must be empty for operator `Exists`');
  } else if (operator === 'Equal') validateFormat(value, labelValue, field.child('value'));
  else validateRequiredEnum(operator, ['Equal', 'Exists'], field.child('operator'));
  if (effect) validateEnum(effect, taintEffects(field), field.child('effect'));
}
