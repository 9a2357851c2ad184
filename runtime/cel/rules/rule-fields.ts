import type { JsonSchema, ValidationRule } from '../../machinery/schema/json-schema.ts';
import { type FieldError, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { resolveFieldPath } from './field-path.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasNewlines = (text: string): boolean => /[\n\r]/.test(text);

/** Validates x-kubernetes-validations without compiling the rules. (apiextensions pkg/apis/apiextensions/validation) */
export function validateRuleFields(schema: JsonSchema, path: FieldPath): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, i) =>
    checkRule(rule, schema, path.child('x-kubernetes-validations').index(i)),
  );
}

function checkRule(rule: ValidationRule, schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { message = '', messageExpression = '', fieldPath = '', reason } = rule;
  const text = rule.rule.trim();
  if (text === '') errors.push(required(path.child('rule'), 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalid(path.child('message'), message, 'must be non-empty if specified'));
  } else if (hasNewlines(message.trim())) {
    errors.push(invalid(path.child('message'), message, 'must not contain line breaks'));
  } else if (hasNewlines(text) && message.trim() === '') {
    errors.push(required(path.child('message'), 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(path.child('reason'), reason, reasons));
  if (fieldPath === '') return errors;
  const at = path.child('fieldPath');
  if (fieldPath.trim() === '') errors.push(invalid(at, fieldPath, 'must be non-empty if specified'));
  if (hasNewlines(fieldPath)) errors.push(invalid(at, fieldPath, 'must not contain line breaks'));
  if (resolveFieldPath(fieldPath, schema).error !== undefined) errors.push(invalid(at, fieldPath, 'must be a valid path'));
  return errors;
}
