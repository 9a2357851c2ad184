import { formatGoValue } from '../../machinery/go/format.ts';
import { goType } from '../../machinery/go/type.ts';
import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { type FieldError, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { isInt64, isNumeric } from './numbers.ts';

/** The paths of the scale subresource in a CustomResourceDefinition: `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

const maxInt32 = 2147483647;

/** (apiextensions-apiserver pkg/registry/customresource/validator.go ValidateScaleSpec) */
export function checkScaleSpec(scale: ScalePaths, object: JsonObject, errors: FieldError[]): void {
  checkReplicas(scale.specReplicasPath, object, errors);
}

/** (ValidateScaleStatus) */
export function checkScaleStatus(scale: ScalePaths, object: JsonObject, errors: FieldError[]): void {
  checkReplicas(scale.statusReplicasPath, object, errors);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return;
  const found = valueAt(object, labelSelectorPath);
  if (found.problem !== undefined) errors.push(invalid(FieldPath.of(labelSelectorPath), '', found.problem));
  else if (found.value !== undefined && typeof found.value !== 'string') {
    errors.push(invalid(FieldPath.of(labelSelectorPath), '', wrongType(found.at, found.value, 'string')));
  }
}

function checkReplicas(where: string, object: JsonObject, errors: FieldError[]): void {
  const path = FieldPath.of(where);
  const { value, at, problem } = valueAt(object, where);
  if (problem !== undefined) errors.push(invalid(path, 0, problem));
  else if (value === undefined) return;
  else if (!isNumeric(value) || !isInt64(value)) errors.push(invalid(path, 0, wrongType(at, value, 'int64')));
  else if (value < 0) errors.push(invalid(path, value, 'should be a non-negative integer'));
  else if (value > maxInt32) errors.push(invalid(path, value, `should be less than or equal to ${maxInt32}`));
}

/** Returns the value at a dotted path. A non-object on the way is an error. (unstructured.NestedFieldNoCopy) */
function valueAt(object: JsonObject, path: string): { at: string; value?: Json; problem?: string } {
  const names = path.replace(/^\./, '').split('.');
  let value: Json = object;
  let at = '';
  for (const name of names) {
    if (value === null) return { at };
    if (!isJsonObject(value)) {
      return { at, problem: wrongType(`${at}.${name}`, value, 'map[string]interface{}') };
    }
    const member: Json | undefined = memberOf(value, name);
    if (member === undefined) return { at };
    value = member;
    at += `.${name}`;
  }
  return { at, value };
}

function wrongType(at: string, value: Json, wanted: string): string {
  return `${at} accessor error: ${formatGoValue(value)} is of the type ${goType(value)}, expected ${wanted}`;
}
