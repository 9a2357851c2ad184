import { GoStruct } from '../../../machinery/go/value.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { type Json, type JsonObject, unstructuredContent } from '../../../machinery/object.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { UnvalidatedVersion } from './internal-spec.ts';

/**
 * Bad values as they appear in upstream's messages: as Go structs of the internal types, with every member under its Go
 * name. (pkg/apis/apiextensions/types.go, types_jsonschema.go)
 */

type Convert = (value: Json) => Json;
type Member = readonly [goName: string, jsonName: string, zero: Json, convert?: Convert];

const internal =
  (members: readonly Member[]): Convert =>
  (value) => {
    const given = value as JsonObject;
    const struct: JsonObject = {};
    for (const [goName, jsonName, zero, convert] of members) {
      const own = Object.hasOwn(given, jsonName) ? (given[jsonName] ?? null) : null;
      struct[goName] = own === null ? zero : convert ? convert(own) : own;
    }
    return struct;
  };

const listOf =
  (item: Convert): Convert =>
  (value) =>
    (value as Json[]).map(item);

const mapOf =
  (item: Convert): Convert =>
  (value) => {
    const members = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([name, member]) => [name, item(member)]));
  };

/** Any JSON as Go prints it: maps by key. */
export const anyJson: Convert = (value) => {
  if (Array.isArray(value)) return value.map(anyJson);
  return isJsonObject(value) ? mapOf(anyJson)(value) : value;
};

const rule = internal([
  ['Rule', 'rule', ''],
  ['Message', 'message', ''],
  ['MessageExpression', 'messageExpression', ''],
  ['Reason', 'reason', null],
  ['FieldPath', 'fieldPath', ''],
  ['OptionalOldSelf', 'optionalOldSelf', null],
]);

const schema: Convert = (value) => schemaMembers(value);
const schemaOrBool: Convert = (value) =>
  typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: schema(value) };
const schemaOrList: Convert = (value) =>
  Array.isArray(value)
    ? { Schema: null, JSONSchemas: value.map(schema) }
    : { Schema: value === null ? null : schema(value), JSONSchemas: null };
const schemaOrNames: Convert = (value) =>
  Array.isArray(value) ? { Schema: null, Property: value } : { Schema: schema(value), Property: null };

const schemaMembers = internal([
  ['ID', 'id', ''],
  ['Schema', '$schema', ''],
  ['Ref', '$ref', null],
  ['Description', 'description', ''],
  ['Type', 'type', ''],
  ['Nullable', 'nullable', false],
  ['Format', 'format', ''],
  ['Title', 'title', ''],
  ['Default', 'default', null, anyJson],
  ['Maximum', 'maximum', null],
  ['ExclusiveMaximum', 'exclusiveMaximum', false],
  ['Minimum', 'minimum', null],
  ['ExclusiveMinimum', 'exclusiveMinimum', false],
  ['MaxLength', 'maxLength', null],
  ['MinLength', 'minLength', null],
  ['Pattern', 'pattern', ''],
  ['MaxItems', 'maxItems', null],
  ['MinItems', 'minItems', null],
  ['UniqueItems', 'uniqueItems', false],
  ['MultipleOf', 'multipleOf', null],
  ['Enum', 'enum', null, anyJson],
  ['MaxProperties', 'maxProperties', null],
  ['MinProperties', 'minProperties', null],
  ['Required', 'required', null],
  ['Items', 'items', null, schemaOrList],
  ['AllOf', 'allOf', null, listOf(schema)],
  ['OneOf', 'oneOf', null, listOf(schema)],
  ['AnyOf', 'anyOf', null, listOf(schema)],
  ['Not', 'not', null, schema],
  ['Properties', 'properties', null, mapOf(schema)],
  ['AdditionalProperties', 'additionalProperties', null, schemaOrBool],
  ['PatternProperties', 'patternProperties', null, mapOf(schema)],
  ['Dependencies', 'dependencies', null, mapOf(schemaOrNames)],
  ['AdditionalItems', 'additionalItems', null, schemaOrBool],
  ['Definitions', 'definitions', null, mapOf(schema)],
  [
    'ExternalDocs',
    'externalDocs',
    null,
    internal([
      ['Description', 'description', ''],
      ['URL', 'url', ''],
    ]),
  ],
  ['Example', 'example', null, anyJson],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false],
  ['XIntOrString', 'x-kubernetes-int-or-string', false],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null],
  ['XListType', 'x-kubernetes-list-type', null],
  ['XMapType', 'x-kubernetes-map-type', null],
  ['XValidations', 'x-kubernetes-validations', null, listOf(rule)],
]);

const column = internal([
  ['Name', 'name', ''],
  ['Type', 'type', ''],
  ['Format', 'format', ''],
  ['Description', 'description', ''],
  ['Priority', 'priority', 0],
  ['JSONPath', 'jsonPath', ''],
]);

const scale = internal([
  ['SpecReplicasPath', 'specReplicasPath', ''],
  ['StatusReplicasPath', 'statusReplicasPath', ''],
  ['LabelSelectorPath', 'labelSelectorPath', null],
]);

const version = internal([
  ['Name', 'name', ''],
  ['Served', 'served', false],
  ['Storage', 'storage', false],
  ['Deprecated', 'deprecated', false],
  ['DeprecationWarning', 'deprecationWarning', null],
  ['Schema', 'schema', null, internal([['OpenAPIV3Schema', 'openAPIV3Schema', null, schema]])],
  [
    'Subresources',
    'subresources',
    null,
    internal([
      ['Status', 'status', null],
      ['Scale', 'scale', null, scale],
    ]),
  ],
  ['AdditionalPrinterColumns', 'additionalPrinterColumns', null, listOf(column)],
  ['SelectableFields', 'selectableFields', null, listOf(internal([['JSONPath', 'jsonPath', '']]))],
]);

export const internalSchema = (value: JsonSchema): GoStruct => new GoStruct(() => schema(unstructuredContent(value)) as JsonObject);
export const internalItems = (value: JsonSchema['items']): GoStruct =>
  new GoStruct(() => schemaOrList(value == null ? null : unstructuredContent(value)) as JsonObject);
export const internalVersions = (value: readonly UnvalidatedVersion[]): GoStruct =>
  new GoStruct(() => value.map((one) => version(unstructuredContent(one))));
