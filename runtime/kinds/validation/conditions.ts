import type { Condition } from '../../../generated/v1.35/meta/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength, labelKey as qualifiedName, regexError } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat } from './fields.ts';

/** (apimachinery pkg/apis/meta/v1/validation/validation.go) */

const statuses = ['False', 'True', 'Unknown'];
const maxReasonLength = 1024;
const maxMessageLength = 32 * 1024;

/** Types are unique. (ValidateConditions) */
export function validateConditions(conditions: readonly Unvalidated<Condition>[], field: Field): void {
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const { type = '' } = condition;
    const at = field.index(index);
    if (types.has(type)) at.child('type').duplicate(type);
    types.add(type);
    validateCondition(condition, at);
  }
}

function validateCondition(condition: Unvalidated<Condition>, field: Field): void {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, reason = '', message = '' } = condition;
  validateFormat(type, qualifiedName, field.child('type'));
  validateEnum(status, statuses, field.child('status'));
  if (observedGeneration < 0) {
    field.child('observedGeneration').invalid(observedGeneration, 'must be greater than or equal to zero');
  }
  if (!lastTransitionTime) field.child('lastTransitionTime').required();
  validateReason(reason, field.child('reason'));
  if (byteLength(message) > maxMessageLength) field.child('message').tooLong(message, maxMessageLength);
}

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonRegExp = new RegExp(`^(?:${reasonPattern})$`);
const reasonError = regexError(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonPattern,
  'my_name',
  'MY_NAME',
  'MyName',
  'ReasonA,ReasonB',
  'ReasonA:ReasonB',
);

function validateReason(reason: string, field: Field): void {
  if (reason === '') {
    field.required();
    return;
  }
  if (!reasonRegExp.test(reason)) field.invalid(reason, reasonError);
  if (byteLength(reason) > maxReasonLength) field.tooLong(reason, maxReasonLength);
}
