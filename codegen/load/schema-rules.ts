import type { FieldRule } from '../model/model.ts';
import type { Schema } from './openapi.ts';
import { isTypeFormat } from './type-refs.ts';

/**
 * Returns the checks that a schema's own keywords demand, field by field. `enum` and `default` are in the FieldModel.
 * With `byGo`, for types with known Go source, `required` and the list types demand nothing: they only describe
 * encoding and merging, and overlays have upstream's checks.
 */
export function rulesOfSchema(schema: Schema, byGo: boolean): FieldRule[] {
  const required = new Set(byGo ? [] : schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([field, property]) => [
    ...(required.has(field) && wantsValue(property) ? [{ field, check: 'required' } as const] : []),
    ...valueRules(field, property),
    ...(byGo || property.type !== 'array' ? [] : listRules(field, property)),
  ]);
}

/**
 * Reports whether a required field must be set. Kubernetes lists fields without omitempty as required and gives them a
 * zero default: these need no check. Required lists and maps may be empty, since Go does not distinguish empty from
 * absent.
 */
function wantsValue(property: Schema): boolean {
  return property.default === undefined && property.type !== 'array' && property.additionalProperties === undefined;
}

function valueRules(field: string, property: Schema): FieldRule[] {
  const rules: FieldRule[] = [];
  const limit = (check: 'min' | 'max' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems', value?: number): void => {
    if (value !== undefined) rules.push({ field, check, value });
  };
  limit('min', property.minimum);
  limit('max', property.maximum);
  limit('minLength', property.minLength);
  limit('maxLength', property.maxLength);
  limit('minItems', property.minItems);
  limit('maxItems', property.maxItems);
  if (property.pattern !== undefined) rules.push({ field, check: 'pattern', value: property.pattern });
  if (property.format !== undefined && property.type === 'string' && !isTypeFormat(property.format))
    rules.push({ field, check: 'format', value: property.format });
  return rules;
}

function listRules(field: string, property: Schema): FieldRule[] {
  const keys = property['x-kubernetes-list-map-keys'];
  if (property['x-kubernetes-list-type'] === 'map' && keys) return [{ field, check: 'unique', keys }];
  return property['x-kubernetes-list-type'] === 'set' || property.uniqueItems ? [{ field, check: 'unique' }] : [];
}
