import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { CustomResourceDefinition, Version } from '../api-helpers.ts';
import type { Dialect, Json } from './dialect.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** `com.example.stable.v1.CronTab` */
export function modelName({ spec }: CustomResourceDefinition, { name }: Version, kind: string): string {
  return `${spec.group.split('.').reverse().join('.')}.${name}.${kind}`;
}

/** The schema of a kind with what all kinds have. Descriptions are the user's own and stay. (buildKubeNative) */
export function objectSchema(
  crd: CustomResourceDefinition,
  version: Version,
  schema: JsonSchema | undefined,
  dialect: Dialect,
): Json {
  const extensions = extensionsOf(crd, version, crd.spec.names.kind);
  const open = dialect.version === 2 && schema?.['x-kubernetes-preserve-unknown-fields'];
  // kubectl takes a schema with a few properties for one that has no others
  if (schema === undefined || open) return { type: 'object', ...extensions };
  const published = publish(schema, dialect);
  const properties = {
    ...(published.properties as Json | undefined),
    apiVersion: text,
    kind: text,
    metadata: dialect.property(`${meta}.ObjectMeta`),
  };
  return { ...published, properties, ...extensions };
}

export function listSchema(crd: CustomResourceDefinition, version: Version, dialect: Dialect): Json {
  const { kind, listKind = '' } = crd.spec.names;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: text,
      items: { type: 'array', items: dialect.property(modelName(crd, version, kind)) },
      kind: text,
      metadata: dialect.property(`${meta}.ListMeta`),
    },
    ...extensionsOf(crd, version, listKind),
  };
}

const text: Json = { type: 'string' };

function extensionsOf(
  { spec }: CustomResourceDefinition,
  { name, selectableFields = [] }: Version,
  kind: string,
): Json {
  const fields = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return {
    'x-kubernetes-group-version-kind': [{ group: spec.group, kind, version: name }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  };
}

/** Members that are not published: they say nothing about values. */
const unpublished: ReadonlySet<string> = new Set(['externalDocs', 'example']);

/** A schema as clients get it: embedded objects have their type, and int-or-string says so in plain words too. */
function publish(schema: JsonSchema, dialect: Dialect): Json {
  const published: Json = {};
  for (const [name, value] of Object.entries(schema)) {
    if (unpublished.has(name) || value === undefined) continue;
    published[name] = value;
  }
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) {
    const own: Json = Object.create(null);
    for (const [name, property] of Object.entries(properties)) own[name] = publish(property, dialect);
    published.properties = own;
  }
  if (items !== undefined && !Array.isArray(items)) published.items = publish(items as JsonSchema, dialect);
  if (typeof additionalProperties === 'object') {
    published.additionalProperties = publish(additionalProperties, dialect);
  }
  if (dialect.version === 3 && schema['x-kubernetes-int-or-string']) spellOut(published);
  const open = dialect.version === 2 && schema['x-kubernetes-preserve-unknown-fields'];
  if (schema['x-kubernetes-embedded-resource'] && !open) embed(published, dialect);
  return published;
}

/** (schema.Unfold) */
function spellOut(published: Json): void {
  const either = [{ type: 'integer' }, { type: 'string' }];
  if (published.anyOf === undefined) published.anyOf = either;
  else if (!isEither(published.anyOf)) {
    published.allOf = [{ anyOf: either }, ...((published.allOf as unknown[] | undefined) ?? [])];
  }
}

const isEither = (value: unknown): boolean => JSON.stringify(value) === '[{"type":"integer"},{"type":"string"}]';

function embed(published: Json, dialect: Dialect): void {
  published.properties = {
    ...(published.properties as Json | undefined),
    apiVersion: text,
    kind: text,
    metadata: dialect.property(`${meta}.ObjectMeta`),
  };
  const required = new Set(published.required as string[] | undefined);
  published.required = [...required.add('kind').add('apiVersion')];
}
