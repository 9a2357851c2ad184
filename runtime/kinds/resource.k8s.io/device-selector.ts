import type * as resource from '../../../generated/v1.35/resource.k8s.io/v1/types.ts';
import { schemaSizeEstimator } from '../../cel/cost/call-estimate.ts';
import { type CompiledExpression, compileExpression, createEnvironment, type Environment } from '../../cel/expression.ts';
import { quantityType } from '../../cel/library/quantity.ts';
import { boundedDecl, boundedMapDecl, objectDecl } from '../../cel/types/decl-type.ts';
import { anyType, stringType, typeString } from '../../cel/types/type.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { byteLength } from '../../machinery/validation/name-formats.ts';
import { maxDomainLength, maxDriverNameLength, maxIDLength } from './names.ts';

/** Expressions that select devices. (pkg/apis/resource/validation; k8s.io/dynamic-resource-allocation/cel/compile.go) */

const maxSelectors = 32;
const maxExpressionLength = 10 * 1024;
const maxExpressionCost = 1_000_000n;
const maxAttributeValueLength = 64;
const maxAttributesAndCapacities = 32;

/** (validateSelectorSlice) */
export function validateSelectors(selectors: readonly Unvalidated<resource.DeviceSelector>[], field: Field): void {
  if (selectors.length > maxSelectors) {
    field.tooMany(selectors.length, maxSelectors);
    return;
  }
  for (const [index, { cel }] of selectors.entries()) {
    const at = field.index(index).child('cel');
    if (cel) validateCELSelector(cel.expression ?? '', at.child('expression'));
    else at.required();
  }
}

function validateCELSelector(expression: string, field: Field): void {
  if (byteLength(expression) > maxExpressionLength) {
    field.tooLong(expression, maxExpressionLength);
    return;
  }
  environment ??= createEnvironment({ variables: { device: deviceType } });
  const compiled = compileExpression(expression, environment);
  if (compiled.program === undefined) {
    const { issues, failure } = compiled;
    const what = issues === undefined ? `program instantiation failed: ${failure}` : `compilation failed: ${issues}`;
    field.invalid(expression, what);
  } else checkSelector(compiled, expression, field);
}

/** The result may be an attribute, whose type is unknown. */
function checkSelector({ outputType, estimate }: CompiledExpression, expression: string, field: Field): void {
  if (outputType.kind !== 'bool' && outputType.kind !== 'any') {
    field.invalid(expression, `must evaluate to bool or the unknown type, not ${typeString(outputType)}`);
  } else if (estimate(sizes).max > maxExpressionCost) field.forbidden('too complex, exceeds cost limit');
}

let environment: Environment | undefined;

const domain = boundedDecl(stringType, maxDomainLength);
const id = boundedDecl(stringType, maxIDLength);
/** Declares a map of maps: by domain, then by the identifier in the domain. */
const byName = (element: ReturnType<typeof boundedDecl>) =>
  boundedMapDecl(domain, boundedMapDecl(id, element, maxAttributesAndCapacities), maxAttributesAndCapacities);

const attributes = byName(boundedDecl(anyType, maxAttributeValueLength));

const deviceType = objectDecl('kubernetes.DRADevice', {
  driver: boundedDecl(stringType, maxDriverNameLength),
  attributes,
  capacity: byName(boundedDecl(quantityType, 0)),
});

const schemaSizes = schemaSizeEstimator(deviceType);

/** All attributes of a domain have the same size. (sizeEstimator.EstimateSize) */
const sizes = (path: readonly string[]) => {
  const [variable, member] = path;
  if (variable !== 'device') return undefined;
  const isAttribute = member === 'attributes' && path.length === 4 && path[2] === '@values';
  return schemaSizes(isAttribute ? ['device', 'attributes', '@values', '@values'] : path);
};
