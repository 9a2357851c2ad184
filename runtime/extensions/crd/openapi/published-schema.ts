import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { OpenAPIDialect, OpenAPIObject } from './dialect.ts';

/** Members that are published unless they are false, "" or an empty list. */
const members = [
  'description',
  'type',
  'nullable',
  'format',
  'title',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;
/** Members that are published as the nearest float64. */
const floats = ['maximum', 'minimum', 'multipleOf'] as const;
const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * Returns the published form of a schema: int-or-string gets its anyOf. Version 2 has no defaults.
 * (pkg/apiserver/schema/kubeopenapi.go, unfold.go; kube-openapi pkg/handler/default_pruning.go)
 */
export function publishSchema(schema: JsonSchema, dialect: OpenAPIDialect): OpenAPIObject {
  const published = publishMembers(schema, dialect, publishSchema);
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    published.additionalProperties = publishSchema(additionalProperties, dialect);
  } else if (additionalProperties !== undefined) published.additionalProperties = additionalProperties;
  if (dialect.version === 3 && schema['x-kubernetes-int-or-string']) unfold(published);
  return published;
}

/** Publishes a schema inside allOf, anyOf, oneOf or not, without additionalProperties. */
function publishNested(schema: JsonSchema, dialect: OpenAPIDialect): OpenAPIObject {
  return publishMembers(schema, dialect, publishNested);
}

function publishMembers(
  schema: JsonSchema,
  dialect: OpenAPIDialect,
  publish: (schema: JsonSchema, dialect: OpenAPIDialect) => OpenAPIObject,
): OpenAPIObject {
  const published: OpenAPIObject = {};
  for (const name of members) if (saysSomething(schema[name])) published[name] = schema[name];
  for (const name of floats) if (schema[name] !== undefined) published[name] = Number(schema[name]);
  if (dialect.version === 3 && (schema.default ?? null) !== null) published.default = schema.default;
  const { properties = {}, items, not } = schema;
  if (Object.keys(properties).length > 0) {
    const own: OpenAPIObject = Object.create(null);
    for (const [name, property] of Object.entries(properties)) own[name] = publish(property, dialect);
    published.properties = own;
  }
  if (items !== undefined && !Array.isArray(items)) published.items = publish(items as JsonSchema, dialect);
  for (const name of junctors) {
    if (schema[name]?.length) published[name] = schema[name].map((one) => publishNested(one, dialect));
  }
  if (not !== undefined) published.not = publishNested(not, dialect);
  return published;
}

const saysSomething = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '' && value !== null;

const intOrString = [{ type: 'integer' }, { type: 'string' }];

function unfold(published: OpenAPIObject): void {
  const allOf = (published.allOf as OpenAPIObject[] | undefined) ?? [];
  if (isIntOrString(published.anyOf) || isIntOrString(allOf[0]?.anyOf)) return;
  if (published.anyOf === undefined) published.anyOf = intOrString;
  else published.allOf = [{ anyOf: intOrString }, ...allOf];
}

const isIntOrString = (value: unknown): boolean => JSON.stringify(value) === '[{"type":"integer"},{"type":"string"}]';
