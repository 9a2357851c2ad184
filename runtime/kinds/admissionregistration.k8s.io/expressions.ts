import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { CompositionEnvironment } from '../../cel/admission/composition.ts';
import { admissionEnvironment } from '../../cel/admission/environment.ts';
import { type CompilationError, compileAdmissionExpression } from '../../cel/admission/expression.ts';
import type { Environment } from '../../cel/expression.ts';
import { boolType, type Type } from '../../cel/types/type.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { internalError } from '../../machinery/validation/field-error.ts';
import { labelKey } from '../../machinery/validation/name-formats.ts';
import { validateFormat } from '../validation/fields.ts';

/** Expressions of webhooks and policies. (pkg/apis/admissionregistration/validation) */

const maxMatchConditions = 64;

/** @param shown the value in the error. Default: the expression */
export function validateExpression(
  expression: string,
  { types, environment }: { readonly types: readonly Type[]; readonly environment: Environment },
  field: Field,
  shown = expression,
): void {
  report(compileAdmissionExpression(expression, types, environment).error, shown, field);
}

function report(error: CompilationError | undefined, shown: string, field: Field): void {
  if (error?.type === 'Invalid') field.invalid(shown, error.detail);
  else if (error !== undefined) field.errors.push(internalError(field, error.detail));
}

/**
 * Conditions cannot use variables of their policy. (validateMatchConditions) @param params whether the policy has
 * parameters
 */
export function validateMatchConditions(conditions: readonly Unvalidated<v1.MatchCondition>[], params: boolean, field: Field): void {
  if (conditions.length > maxMatchConditions) field.tooMany(conditions.length, maxMatchConditions);
  const environment = admissionEnvironment({ params, authorizer: true });
  const names = new Set<string>();
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = field.index(index);
    const text = expression.trim();
    if (text === '') at.child('expression').required();
    else validateExpression(text, { types: [boolType], environment }, at.child('expression'));
    if (name === '') at.child('name').required();
    else validateFormat(name, labelKey, at.child('name'));
    if (name !== '' && names.has(name)) at.child('name').duplicate(name);
    names.add(name);
  }
}

const reserved = new Set(
  ('true false null in as break const continue else for function if import let loop package namespace return var void ' + 'while').split(
    ' ',
  ),
);

/** A variable may use earlier variables. (validateVariable) */
export function validateVariables(variables: readonly Unvalidated<v1.Variable>[], composition: CompositionEnvironment, field: Field): void {
  // compiles the variables in order
  composition.of({});
  for (const [index, { name = '', expression = '' }] of variables.entries()) {
    const at = field.index(index);
    if (name.trim() === '') at.child('name').required('name is not specified');
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name)) {
      at.child('name').invalid(name, 'must be a valid CEL identifier');
    }
    const where = at.child('expression');
    if (expression.trim() === '') where.required('expression is not specified');
    else report(composition.all[index]?.[1].result.error, expression, where);
  }
}
