import { stableText } from '../../machinery/json/equality.ts';
import type { Json } from '../../machinery/object.ts';
import { type Pattern, patternOf } from '../../machinery/patterns/pattern.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { openApiFormat, type StringFormat } from '../open-api-formats.ts';
import type { Bound } from './numbers.ts';

/**
 * The kind of a JSON value, as bits of `SchemaNode.accepts`. A float without a fraction is also accepted as an integer.
 */
export const kinds = { null: 1, boolean: 2, string: 4, integer: 8, float: 16, wholeFloat: 32, array: 64, object: 128 };

const everything = 255;

/** A schema in compiled form for validation. Each member is read and checked once. All nodes have the same shape. */
export interface SchemaNode {
  readonly accepts: number;
  /** The types as messages show them: `integer,string`. */
  readonly typeText: string;
  /** The name of a validated format; otherwise "". */
  readonly formatName: string;
  readonly format: StringFormat | undefined;
  readonly maxLength: number;
  readonly minLength: number;
  readonly pattern: Pattern | undefined;
  readonly patternText: string;
  readonly maximum: Bound | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: Bound | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: Bound | undefined;
  readonly maxItems: number;
  readonly minItems: number;
  readonly uniqueItems: boolean;
  readonly items: SchemaNode | undefined;
  readonly maxProperties: number;
  readonly minProperties: number;
  readonly required: readonly string[] | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  /** The schema of members outside `properties`; false if they are forbidden. */
  readonly additional: SchemaNode | false | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly enumScalars: ReadonlySet<unknown> | undefined;
  /** The members that are objects or lists, as stable text. */
  readonly enumTexts: ReadonlySet<string> | undefined;
  readonly junctors: Junctors | undefined;
}

export interface Junctors {
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

/** The members of `properties`, in the order of the schema. */
export const propertiesOf = (schema: JsonSchema): [string, JsonSchema][] => Object.entries(schema.properties ?? {});

export const schemaNode: (schema: JsonSchema) => SchemaNode = perSchema((schema) => {
  const format = schema.format === undefined ? undefined : openApiFormat(schema.format);
  const types = typesOf(schema);
  const items = itemSchema(schema);
  const properties = propertiesOf(schema);
  return {
    accepts: acceptedKinds(types, schema.nullable === true, format !== undefined),
    typeText: types.join(','),
    formatName: format ? (schema.format as string) : '',
    format,
    maxLength: upper(schema.maxLength),
    minLength: lower(schema.minLength),
    pattern: schema.pattern ? patternOf(schema.pattern) : undefined,
    patternText: schema.pattern ?? '',
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    multipleOf: schema.multipleOf,
    maxItems: upper(schema.maxItems),
    minItems: lower(schema.minItems),
    uniqueItems: schema.uniqueItems === true,
    items: items && schemaNode(items),
    maxProperties: upper(schema.maxProperties),
    minProperties: lower(schema.minProperties),
    required: schema.required && schema.required.length > 0 ? schema.required : undefined,
    properties: properties.length === 0 ? undefined : new Map(properties.map(([name, inner]) => [name, schemaNode(inner)])),
    additional: additionalNode(schema),
    enum: schema.enum && schema.enum.length > 0 ? schema.enum : undefined,
    enumScalars: schema.enum && new Set(schema.enum.filter((value) => typeof value !== 'object')),
    enumTexts: schema.enum && new Set(schema.enum.filter((value) => typeof value === 'object').map(stableText)),
    junctors: junctorsOf(schema),
  };
});

const upper = (bound: Bound | undefined): number => (bound === undefined ? Number.POSITIVE_INFINITY : Number(bound));
const lower = (bound: Bound | undefined): number => (bound === undefined ? Number.NEGATIVE_INFINITY : Number(bound));

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/**
 * Returns the kinds that the type validator accepts. A format disables the check for strings and lists, unless a type
 * is numeric. (kube-openapi pkg/validation/validate/type.go)
 */
function acceptedKinds(types: readonly string[], nullable: boolean, hasFormat: boolean): number {
  const has = (type: string): boolean => types.includes(type);
  const numeric = has('integer') || has('number');
  if (types.length === 0 && !hasFormat) return everything;
  let accepts = nullable || types.length === 0 ? kinds.null : 0;
  if (has('boolean')) accepts |= kinds.boolean;
  if (numeric) accepts |= kinds.integer | kinds.wholeFloat;
  if (has('number')) accepts |= kinds.float;
  if (has('object')) accepts |= kinds.object;
  if (has('string') || (hasFormat && !numeric)) accepts |= kinds.string;
  if (has('array') || (hasFormat && !numeric)) accepts |= kinds.array;
  return accepts;
}

function additionalNode(schema: JsonSchema): SchemaNode | false | undefined {
  const inner = valueSchema(schema);
  if (inner) return schemaNode(inner);
  return schema.additionalProperties === false ? false : undefined;
}

function junctorsOf(schema: JsonSchema): Junctors | undefined {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return undefined;
  return {
    allOf: allOf.map(schemaNode),
    anyOf: anyOf.map(schemaNode),
    oneOf: oneOf.map(schemaNode),
    not: not && schemaNode(not),
  };
}
