import { itemSchema, type JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { internalItems } from './internal-values.ts';
import type { ValidationOptions } from './options.ts';

const listTypeName = 'x-kubernetes-list-type';
const mapTypeName = 'x-kubernetes-map-type';
const keysName = 'x-kubernetes-list-map-keys';

/** Validates x-kubernetes-list-type, -list-map-keys and -map-type of one schema. */
export function validateListTypes(schema: JsonSchema, options: ValidationOptions, field: Field): void {
  const mapType = schema[mapTypeName];
  const listType = schema[listTypeName];
  if (mapType !== undefined) requireType(schema, 'object', mapTypeName, field);
  if (mapType !== undefined && !['atomic', 'granular'].includes(mapType)) {
    field.child(mapTypeName).notSupported(mapType, ['atomic', 'granular']);
  }
  if (listType !== undefined && schema.type !== 'array') {
    requireType(schema, 'array', listTypeName, field);
  } else if (options.requireAtomicSetType && listType === 'set') validateSetItems(schema, field);
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    field.child(listTypeName).notSupported(listType, ['atomic', 'set', 'map']);
  }
  const keys = schema[keysName] ?? [];
  const mustBeMap = `must be map if ${keysName} is non-empty`;
  if (keys.length > 0 && listType === undefined) field.child(listTypeName).required(mustBeMap);
  else if (keys.length > 0 && listType !== 'map') field.child(listTypeName).invalid(listType, mustBeMap);
  if (listType === 'map') validateMapItems(schema, keys, field);
  if (options.requireMapListKeysMapSetValidation) validateMapListKeysMapSet(schema, field);
}

function requireType(schema: JsonSchema, type: string, extension: string, field: Field): void {
  if (schema.type === type) return;
  const detail = `must be ${type} if ${extension} is specified`;
  const typeField = field.child('type');
  if (schema.type) typeField.invalid(schema.type, detail);
  else typeField.required(detail);
}

function validateSetItems(schema: JsonSchema, field: Field): void {
  const items = itemSchema(schema);
  if (!items) return;
  const text = `must be atomic as item of a list with ${listTypeName}=set`;
  const at = field.child('items');
  const listType = items[listTypeName];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    at.child(listTypeName).invalid(listType, text);
  }
  if (items.type === 'object' && items[mapTypeName] !== 'atomic') {
    at.child(mapTypeName).invalid(listType ?? null, text);
  }
}

function validateMapItems(schema: JsonSchema, keys: readonly string[], field: Field): void {
  const at = field.child('items');
  if (keys.length === 0) {
    field.child(keysName).required(`must not be empty if ${listTypeName} is map`);
  }
  if (schema.items === undefined) {
    at.required(`must have a schema if ${listTypeName} is map`);
    return;
  }
  const items = itemSchema(schema);
  if (!items) {
    at.invalid(internalItems(schema.items), `must only have a single schema if ${listTypeName} is map`);
    return;
  }
  if (items.type !== 'object') {
    at.child('type').invalid(items.type ?? '', `must be object if parent array's ${listTypeName} is map`);
    return;
  }
  const { properties = {} } = items;
  const seen = new Set<string>();
  for (const key of keys) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) field.child(keysName).invalid(keys, 'entries must all be names of item properties');
    else if (property.type === 'array' || property.type === 'object') {
      const text = `must be a scalar type if parent array's ${listTypeName} is map`;
      at.child('properties').key(key).child('type').invalid(items.type, text);
    }
    if (seen.has(key)) field.child(keysName).invalid(keys, 'must not contain duplicate entries');
    seen.add(key);
  }
}

/** Items of sets and maps must not be nullable, and the keys of maps must always be present. */
function validateMapListKeysMapSet(schema: JsonSchema, field: Field): void {
  const listType = schema[listTypeName];
  const items = itemSchema(schema);
  if (!items || (listType !== 'set' && listType !== 'map')) return;
  const itemsField = field.child('items');
  if (items.nullable) itemsField.child('nullable').forbidden(`cannot be nullable when ${listTypeName} is ${listType}`);
  if (listType === 'set') return;
  const { properties = {}, required: names = [] } = items;
  const required = new Set(names);
  for (const key of schema[keysName] ?? []) {
    if (!Object.hasOwn(properties, key)) continue;
    const property = itemsField.child('properties').key(key);
    const prefix = `this property is in ${keysName}, so it`;
    if (!required.has(key) && (properties[key]?.default ?? null) === null) {
      property.child('default').required(`${prefix} must have a default or be a required property`);
    }
    if (properties[key]?.nullable) property.child('nullable').forbidden(`${prefix} cannot be nullable`);
  }
}

/** Whether a stored schema violates validateMapListKeysMapSet. */
export function hasInvalidMapListKeys(schema: JsonSchema): boolean {
  const errors: FieldError[] = [];
  validateMapListKeysMapSet(schema, Field.at(FieldPath.root, errors));
  return errors.length > 0;
}
