import { equalJson } from '../../../machinery/json/equality.ts';
import { patternOf } from '../../../machinery/patterns/pattern.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../../machinery/schema/json-schema.ts';
import {
  type FieldError,
  fieldErrorMessage,
  forbidden,
  invalid,
  required,
} from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { validateStructuralCompleteness } from './completeness.ts';
import { unsupportedField } from './unsupported-fields.ts';

type Level = 'root' | 'item' | 'field';

/**
 * What keeps a schema from being structural: every value must have a type outside of allOf, anyOf, oneOf and not, and
 * inside these stand value validations only. Sorted by their messages. (pkg/apiserver/schema/validation.go)
 */
export function validateStructural(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkInvariants(schema, 'root', path, errors);
  validateStructuralCompleteness(schema, path, errors);
  return errors
    .map((error) => ({ error, text: fieldErrorMessage(error) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

export function isStructural(schema: JsonSchema): boolean {
  return unsupportedField(schema) === undefined && validateStructural(schema, FieldPath.root).length === 0;
}

function checkInvariants(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const items = itemSchema(schema);
  const { type = '', additionalProperties } = schema;
  if (type === 'array' && !items) errors.push(required(path.child('items'), 'must be specified'));
  if (items) checkInvariants(items, 'item', path.child('items'), errors);
  for (const [name, inner] of propertiesOf(schema)) {
    checkInvariants(inner, 'field', path.child('properties').key(name), errors);
  }
  const additional = valueSchema(schema);
  const additionalPath = path.child('additionalProperties');
  if (additionalProperties !== undefined && level === 'root') {
    errors.push(forbidden(additionalPath, 'must not be used at the root'));
  }
  if (additional) checkInvariants(additional, 'field', additionalPath, errors);
  checkExtensions(schema, path, errors);
  checkValueValidation(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), path, errors);
  checkType(schema, level, path, errors);
  if (schema['x-kubernetes-embedded-resource'] && additionalProperties !== undefined) {
    errors.push(forbidden(additionalPath, 'must not be used if x-kubernetes-embedded-resource is set'));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(path.child('type'), type, 'must be object at the root'));
  }
  checkMetaFields(schema, level, path, errors);
}

function checkType(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const { type = '' } = schema;
  const at = path.child('type');
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(at, text) : invalid(at, type, text));
    return;
  }
  if (type !== '' || schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']) return;
  const where = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' };
  errors.push(required(at, `must not be empty ${where[level]}`));
}

function checkExtensions(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (!schema[name]) continue;
    errors.push(invalid(path.child(name), true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

function checkMetaFields(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const { properties = {} } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const checksTypes = level === 'root' || embedded;
  const inside = path.child('properties');
  for (const name of checksTypes ? ['kind', 'apiVersion'] : []) {
    if (!Object.hasOwn(properties, name) || properties[name].type === 'string') continue;
    errors.push(invalid(inside.key(name).child('type'), properties[name].type ?? '', 'must be string'));
  }
  if (Object.hasOwn(properties, 'metadata')) {
    const at = inside.key('metadata');
    const { metadata } = properties;
    if (checksTypes && metadata.type !== 'object') {
      errors.push(invalid(at.child('type'), metadata.type ?? '', 'must be object'));
    }
    if (level === 'root' && !restrictsNamesOnly(metadata)) {
      const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      errors.push(forbidden(at, text));
    }
  }
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0) {
    const text =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(inside, text));
  }
}

/** Defaults are refused elsewhere; documentation links and examples do not count. */
function restrictsNamesOnly(metadata: JsonSchema): boolean {
  const { type: _type, default: _default, externalDocs: _docs, example: _example, properties, ...rest } = metadata;
  const names = Object.keys(properties ?? {});
  if (names.some((name) => name !== 'name' && name !== 'generateName')) return false;
  return Object.values(rest).every(isZero);
}

const isZero = (value: unknown): boolean =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

const intOrString = [{ type: 'integer' }, { type: 'string' }];

const isIntOrString = (schemas: readonly JsonSchema[] | undefined): boolean => equalJson(schemas, intOrString);

function checkValueValidation(
  schema: JsonSchema,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  if (!skipAnyOf) {
    for (const [index, inner] of anyOf.entries()) checkNested(inner, false, path.child('anyOf').index(index), errors);
  }
  for (const [index, inner] of allOf.entries()) {
    checkNested(inner, skipFirstAllOf && index === 0, path.child('allOf').index(index), errors);
  }
  for (const [index, inner] of oneOf.entries()) checkNested(inner, false, path.child('oneOf').index(index), errors);
  if (not) checkNested(not, false, path.child('not'), errors);
  if (!schema.pattern) return;
  const { error } = patternOf(schema.pattern);
  if (error === undefined) return;
  const text = `must be a valid regular expression, but isn't: ${error}`;
  errors.push(invalid(path.child('pattern'), schema.pattern, text));
}

const mustBeEmpty = ['type', 'title', 'description'] as const;
const mustBeFalse = [
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
] as const;
const mustBeUndefined = ['default', 'x-kubernetes-list-type', 'x-kubernetes-map-type'] as const;
const mustBeEmptyLists = ['x-kubernetes-list-map-keys', 'x-kubernetes-validations'] as const;

/** A schema inside allOf, anyOf, oneOf or not. */
function checkNested(schema: JsonSchema, skipAnyOf: boolean, path: FieldPath, errors: FieldError[]): void {
  checkValueValidation(schema, skipAnyOf, false, path, errors);
  const items = itemSchema(schema);
  if (items) checkNested(items, false, path.child('items'), errors);
  for (const [name, inner] of propertiesOf(schema)) {
    checkNested(inner, false, path.child('properties').key(name), errors);
  }
  const refuse = (name: string, what: string): void => {
    errors.push(forbidden(path.child(name), `must be ${what} to be structural`));
  };
  if (schema.additionalProperties) refuse('additionalProperties', 'undefined');
  for (const name of mustBeEmpty) if (schema[name]) refuse(name, 'empty');
  for (const name of mustBeFalse) if (schema[name]) refuse(name, 'false');
  for (const name of mustBeUndefined) if (schema[name] !== undefined) refuse(name, 'undefined');
  for (const name of mustBeEmptyLists) if ((schema[name] ?? []).length > 0) refuse(name, 'empty');
  if (schema.properties && Object.hasOwn(schema.properties, 'metadata')) {
    errors.push(forbidden(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
  }
}
