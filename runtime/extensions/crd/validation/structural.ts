import { equalJson } from '../../../machinery/json/equality.ts';
import { patternOf } from '../../../machinery/patterns/pattern.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../../machinery/schema/json-schema.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { propertiesOf } from '../../../structural/schema/nodes.ts';
import { validateStructuralCompleteness } from './completeness.ts';
import { unsupportedField } from './unsupported-fields.ts';

type Level = 'root' | 'item' | 'field';

/**
 * Returns the violations of a structural schema, sorted by message. Each value must have a type outside of allOf,
 * anyOf, oneOf and not, which may hold value validations only. (pkg/apiserver/schema/validation.go ValidateStructural)
 */
export function validateStructural(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const field = Field.at(path, errors);
  validateStructuralInvariants(schema, 'root', field);
  validateStructuralCompleteness(schema, field);
  return errors
    .map((error) => ({ error, text: fieldErrorMessage(error) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

export function isStructural(schema: JsonSchema): boolean {
  return unsupportedField(schema) === undefined && validateStructural(schema, FieldPath.root).length === 0;
}

function validateStructuralInvariants(schema: JsonSchema, level: Level, field: Field): void {
  const items = itemSchema(schema);
  const { type = '', additionalProperties } = schema;
  if (type === 'array' && !items) field.child('items').required('must be specified');
  if (items) validateStructuralInvariants(items, 'item', field.child('items'));
  for (const [name, inner] of propertiesOf(schema)) {
    validateStructuralInvariants(inner, 'field', field.child('properties').key(name));
  }
  const additional = valueSchema(schema);
  const additionalField = field.child('additionalProperties');
  if (additionalProperties !== undefined && level === 'root') {
    additionalField.forbidden('must not be used at the root');
  }
  if (additional) validateStructuralInvariants(additional, 'field', additionalField);
  validateExtensions(schema, field);
  validateValueValidation(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), field);
  validateType(schema, level, field);
  if (schema['x-kubernetes-embedded-resource'] && additionalProperties !== undefined) {
    additionalField.forbidden('must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    field.child('type').invalid(type, 'must be object at the root');
  }
  validateMetaFields(schema, level, field);
}

function validateType(schema: JsonSchema, level: Level, field: Field): void {
  const { type = '' } = schema;
  const at = field.child('type');
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const text = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') at.required(text);
    else at.invalid(type, text);
    return;
  }
  if (type !== '' || schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']) return;
  const where = { root: 'at the root', item: 'for specified array items', field: 'for specified object fields' };
  at.required(`must not be empty ${where[level]}`);
}

function validateExtensions(schema: JsonSchema, field: Field): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (!schema[name]) continue;
    field.child(name).invalid(true, 'must be false if x-kubernetes-int-or-string is true');
  }
}

function validateMetaFields(schema: JsonSchema, level: Level, field: Field): void {
  const { properties = {} } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const checksTypes = level === 'root' || embedded;
  const inside = field.child('properties');
  for (const name of checksTypes ? ['kind', 'apiVersion'] : []) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || property.type === 'string') continue;
    inside
      .key(name)
      .child('type')
      .invalid(property.type ?? '', 'must be string');
  }
  const metadata = Object.hasOwn(properties, 'metadata') ? properties.metadata : undefined;
  if (metadata !== undefined) {
    const at = inside.key('metadata');
    if (checksTypes && metadata.type !== 'object') {
      at.child('type').invalid(metadata.type ?? '', 'must be object');
    }
    if (level === 'root' && !restrictsNamesOnly(metadata)) {
      const text = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      at.forbidden(text);
    }
  }
  if (embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0) {
    const text = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    inside.required(text);
  }
}

/**
 * Reports whether metadata restricts only name and generateName. Ignores documentation, and defaults, which are
 * validated elsewhere.
 */
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

function validateValueValidation(schema: JsonSchema, skipAnyOf: boolean, skipFirstAllOf: boolean, field: Field): void {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  if (!skipAnyOf) {
    for (const [index, inner] of anyOf.entries()) validateNestedValueValidation(inner, false, field.child('anyOf').index(index));
  }
  for (const [index, inner] of allOf.entries()) {
    validateNestedValueValidation(inner, skipFirstAllOf && index === 0, field.child('allOf').index(index));
  }
  for (const [index, inner] of oneOf.entries()) validateNestedValueValidation(inner, false, field.child('oneOf').index(index));
  if (not) validateNestedValueValidation(not, false, field.child('not'));
  if (!schema.pattern) return;
  const { error } = patternOf(schema.pattern);
  if (error === undefined) return;
  const text = `must be a valid regular expression, but isn't: ${error}`;
  field.child('pattern').invalid(schema.pattern, text);
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

/** Validates a schema inside allOf, anyOf, oneOf or not. */
function validateNestedValueValidation(schema: JsonSchema, skipAnyOf: boolean, field: Field): void {
  validateValueValidation(schema, skipAnyOf, false, field);
  const items = itemSchema(schema);
  if (items) validateNestedValueValidation(items, false, field.child('items'));
  for (const [name, inner] of propertiesOf(schema)) {
    validateNestedValueValidation(inner, false, field.child('properties').key(name));
  }
  const refuse = (name: string, what: string): void => {
    field.child(name).forbidden(`must be ${what} to be structural`);
  };
  if (schema.additionalProperties) refuse('additionalProperties', 'undefined');
  for (const name of mustBeEmpty) if (schema[name]) refuse(name, 'empty');
  for (const name of mustBeFalse) if (schema[name]) refuse(name, 'false');
  for (const name of mustBeUndefined) if (schema[name] !== undefined) refuse(name, 'undefined');
  for (const name of mustBeEmptyLists) if ((schema[name] ?? []).length > 0) refuse(name, 'empty');
  if (schema.properties && Object.hasOwn(schema.properties, 'metadata')) {
    field.child('properties').key('metadata').forbidden('must not be specified in a nested context');
  }
}
