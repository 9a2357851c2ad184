import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion as Version,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { OpenAPIDialect, OpenAPIObject } from './dialect.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The name of a schema, as `com.example.stable.v1.CronTab`. */
export function modelName({ spec }: CustomResourceDefinition, { name }: Version, kind: string): string {
  return `${spec.group.split('.').reverse().join('.')}.${name}.${kind}`;
}

/** The schema of a kind with the fields that all kinds have. Keeps the user's descriptions. (builder.go buildKubeNative) */
export function objectSchema(
  crd: CustomResourceDefinition,
  version: Version,
  schema: JsonSchema | undefined,
  dialect: OpenAPIDialect,
): OpenAPIObject {
  const extensions = extensionsOf(crd, version, crd.spec.names.kind);
  const preservesUnknown = dialect.version === 2 && schema?.['x-kubernetes-preserve-unknown-fields'];
  // kubectl would take a schema with properties for one without unknown fields
  if (schema === undefined || preservesUnknown) return { type: 'object', ...extensions };
  const published = publish(schema, dialect);
  const properties = {
    ...(published.properties as OpenAPIObject | undefined),
    apiVersion: stringType,
    kind: stringType,
    metadata: dialect.property(`${meta}.ObjectMeta`),
  };
  return { ...published, properties, ...extensions };
}

export function listSchema(crd: CustomResourceDefinition, version: Version, dialect: OpenAPIDialect): OpenAPIObject {
  const { kind, listKind = '' } = crd.spec.names;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: stringType,
      items: { type: 'array', items: dialect.property(modelName(crd, version, kind)) },
      kind: stringType,
      metadata: dialect.property(`${meta}.ListMeta`),
    },
    ...extensionsOf(crd, version, listKind),
  };
}

const stringType: OpenAPIObject = { type: 'string' };

function extensionsOf(
  { spec }: CustomResourceDefinition,
  { name, selectableFields = [] }: Version,
  kind: string,
): OpenAPIObject {
  const fields = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return {
    'x-kubernetes-group-version-kind': [{ group: spec.group, kind, version: name }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  };
}

/** Members that are not published. They do not constrain values. */
const unpublished: ReadonlySet<string> = new Set(['externalDocs', 'example']);

/** A schema as it is published: embedded resources get their common fields, and int-or-string its anyOf. */
function publish(schema: JsonSchema, dialect: OpenAPIDialect): OpenAPIObject {
  const published: OpenAPIObject = {};
  for (const [name, value] of Object.entries(schema)) {
    if (unpublished.has(name) || value === undefined) continue;
    published[name] = value;
  }
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) {
    const own: OpenAPIObject = Object.create(null);
    for (const [name, property] of Object.entries(properties)) own[name] = publish(property, dialect);
    published.properties = own;
  }
  if (items !== undefined && !Array.isArray(items)) published.items = publish(items as JsonSchema, dialect);
  if (typeof additionalProperties === 'object') {
    published.additionalProperties = publish(additionalProperties, dialect);
  }
  if (dialect.version === 3 && schema['x-kubernetes-int-or-string']) unfold(published);
  const preservesUnknown = dialect.version === 2 && schema['x-kubernetes-preserve-unknown-fields'];
  if (schema['x-kubernetes-embedded-resource'] && !preservesUnknown) addEmbeddedProperties(published, dialect);
  return published;
}

/** Adds the anyOf of int-or-string. (pkg/apiserver/schema/unfold.go) */
function unfold(published: OpenAPIObject): void {
  const intOrString = [{ type: 'integer' }, { type: 'string' }];
  if (published.anyOf === undefined) published.anyOf = intOrString;
  else if (!isIntOrString(published.anyOf)) {
    published.allOf = [{ anyOf: intOrString }, ...((published.allOf as unknown[] | undefined) ?? [])];
  }
}

const isIntOrString = (value: unknown): boolean => JSON.stringify(value) === '[{"type":"integer"},{"type":"string"}]';

function addEmbeddedProperties(published: OpenAPIObject, dialect: OpenAPIDialect): void {
  published.properties = {
    ...(published.properties as OpenAPIObject | undefined),
    apiVersion: stringType,
    kind: stringType,
    metadata: dialect.property(`${meta}.ObjectMeta`),
  };
  const required = new Set(published.required as string[] | undefined);
  published.required = [...required.add('kind').add('apiVersion')];
}
