import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../../machinery/validation/field-path.ts';

import type { ValidationOptions } from './options.ts';

const listTypeName = 'x-kubernetes-list-type';
const mapTypeName = 'x-kubernetes-map-type';
const keysName = 'x-kubernetes-list-map-keys';

/** What x-kubernetes-list-type, -list-map-keys and -map-type may say of one schema. */
export function validateListTypes(
  schema: JsonSchema,
  options: ValidationOptions,
  path: FieldPath,
  errors: FieldError[],
): void {
  const mapType = schema[mapTypeName];
  const listType = schema[listTypeName];
  checkTypeFor(schema, mapType, 'object', mapTypeName, path, errors);
  if (mapType !== undefined && !['atomic', 'granular'].includes(mapType)) {
    errors.push(notSupported(path.child(mapTypeName), mapType, ['atomic', 'granular']));
  }
  if (listType !== undefined && schema.type !== 'array') {
    checkTypeFor(schema, listType, 'array', listTypeName, path, errors);
  } else if (options.requireAtomicSetType && listType === 'set') checkSetItems(schema, path, errors);
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupported(path.child(listTypeName), listType, ['atomic', 'set', 'map']));
  }
  const keys = schema[keysName] ?? [];
  const mustBeMap = `must be map if ${keysName} is non-empty`;
  if (keys.length > 0 && listType === undefined) errors.push(required(path.child(listTypeName), mustBeMap));
  else if (keys.length > 0 && listType !== 'map') errors.push(invalid(path.child(listTypeName), listType, mustBeMap));
  if (listType === 'map') checkMap(schema, keys, path, errors);
  if (options.requireMapListKeysMapSetValidation)
    for (const error of validateMapListKeysMapSet(schema, path)) errors.push(error);
}

function checkTypeFor(
  schema: JsonSchema,
  value: string | undefined,
  wanted: string,
  name: string,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (value === undefined || schema.type === wanted) return;
  const text = `must be ${wanted} if ${name} is specified`;
  errors.push(schema.type ? invalid(path.child('type'), schema.type, text) : required(path.child('type'), text));
}

function checkSetItems(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  const items = itemSchema(schema);
  if (!items) return;
  const text = `must be atomic as item of a list with ${listTypeName}=set`;
  const at = path.child('items');
  const listType = items[listTypeName];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(invalid(at.child(listTypeName), listType, text));
  }
  if (items.type === 'object' && items[mapTypeName] !== 'atomic') {
    errors.push(invalid(at.child(mapTypeName), listType ?? null, text));
  }
}

function checkMap(schema: JsonSchema, keys: readonly string[], path: FieldPath, errors: FieldError[]): void {
  const at = path.child('items');
  if (keys.length === 0) {
    errors.push(required(path.child(keysName), `must not be empty if ${listTypeName} is map`));
  }
  if (schema.items === undefined) {
    errors.push(required(at, `must have a schema if ${listTypeName} is map`));
    return;
  }
  const items = itemSchema(schema);
  if (!items) {
    errors.push(invalid(at, schema.items, `must only have a single schema if ${listTypeName} is map`));
    return;
  }
  if (items.type !== 'object') {
    errors.push(invalid(at.child('type'), items.type ?? '', `must be object if parent array's ${listTypeName} is map`));
    return;
  }
  const { properties = {} } = items;
  const seen = new Set<string>();
  for (const key of keys) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) errors.push(invalid(path.child(keysName), keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const text = `must be a scalar type if parent array's ${listTypeName} is map`;
      errors.push(invalid(at.child('properties').key(key).child('type'), items.type, text));
    }
    if (seen.has(key)) errors.push(invalid(path.child(keysName), keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

/** Items of sets and maps may not be null, and the keys of maps are always there. (validateMapListKeysMapSet) */
export function validateMapListKeysMapSet(schema: JsonSchema, path: FieldPath): FieldError[] {
  const listType = schema[listTypeName];
  const items = itemSchema(schema);
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const at = path.child('items');
  if (items.nullable) {
    errors.push(forbidden(at.child('nullable'), `cannot be nullable when ${listTypeName} is ${listType}`));
  }
  if (listType === 'set') return errors;
  const { properties = {}, required: names = [] } = items;
  const isRequired = new Set(names);
  for (const key of schema[keysName] ?? []) {
    if (!Object.hasOwn(properties, key)) continue;
    const property = path.child('items').child('properties').key(key);
    const inKeys = `this property is in ${keysName}, so it`;
    if (!isRequired.has(key) && (properties[key].default ?? null) === null) {
      errors.push(required(property.child('default'), `${inKeys} must have a default or be a required property`));
    }
    if (properties[key].nullable) errors.push(forbidden(property.child('nullable'), `${inKeys} cannot be nullable`));
  }
  return errors;
}
