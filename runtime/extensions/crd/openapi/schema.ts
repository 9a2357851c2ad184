import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion as Version,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { ofEmbeddedTypeMeta, ofItems, ofListMeta, ofObjectMeta, ofTypeMeta } from './descriptions.ts';
import type { OpenAPIDialect, OpenAPIObject } from './dialect.ts';
import { publishSchema } from './published-schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Returns the name of a schema, such as `com.example.stable.v1.CronTab`. */
export function modelName({ spec }: CustomResourceDefinition, { name }: Version, kind: string): string {
  return `${spec.group.split('.').reverse().join('.')}.${name}.${kind}`;
}

/** Returns the schema of a kind with the common fields of all kinds. (builder.go buildKubeNative) */
export function objectSchema(
  crd: CustomResourceDefinition,
  version: Version,
  schema: JsonSchema | undefined,
  dialect: OpenAPIDialect,
): OpenAPIObject {
  const extensions = extensionsOf(crd, version, crd.spec.names.kind);
  const preservesUnknown = dialect.version === 2 && schema?.['x-kubernetes-preserve-unknown-fields'];
  // kubectl would refuse unknown fields of a schema with properties
  if (schema === undefined || preservesUnknown) return { type: 'object', ...extensions };
  const published = publishSchema(schema, dialect);
  addEmbeddedProperties(published, dialect);
  const properties = {
    ...(published.properties as OpenAPIObject | undefined),
    apiVersion: { ...ofTypeMeta('apiVersion'), ...stringType },
    kind: { ...ofTypeMeta('kind'), ...stringType },
    metadata: dialect.property(`${meta}.ObjectMeta`, ofObjectMeta()),
  };
  return { ...published, properties, ...extensions };
}

export function listSchema(crd: CustomResourceDefinition, version: Version, dialect: OpenAPIDialect): OpenAPIObject {
  const { kind, listKind = '', plural } = crd.spec.names;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { ...ofTypeMeta('apiVersion'), ...stringType },
      items: { ...ofItems(plural), type: 'array', items: dialect.ref(modelName(crd, version, kind)) },
      kind: { ...ofTypeMeta('kind'), ...stringType },
      metadata: dialect.property(`${meta}.ListMeta`, ofListMeta()),
    },
    ...extensionsOf(crd, version, listKind),
  };
}

const stringType: OpenAPIObject = { type: 'string' };

function extensionsOf({ spec }: CustomResourceDefinition, { name, selectableFields = [] }: Version, kind: string): OpenAPIObject {
  const fields = selectableFields.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }));
  return {
    'x-kubernetes-group-version-kind': [{ group: spec.group, kind, version: name }],
    ...(fields.length > 0 ? { 'x-kubernetes-selectable-fields': fields } : {}),
  };
}

/** Adds the common fields of all objects to embedded resources. */
function addEmbeddedProperties(schema: OpenAPIObject, dialect: OpenAPIDialect): void {
  const { properties = {}, items, additionalProperties } = schema;
  const inside = [...Object.values(properties as OpenAPIObject), items, additionalProperties];
  for (const one of inside) {
    if (typeof one === 'object' && one !== null) addEmbeddedProperties(one as OpenAPIObject, dialect);
  }
  if (dialect.version === 2 && schema['x-kubernetes-preserve-unknown-fields']) return;
  if (!schema['x-kubernetes-embedded-resource']) return;
  schema.properties = {
    ...(properties as OpenAPIObject),
    apiVersion: { ...ofEmbeddedTypeMeta('apiVersion'), ...stringType },
    kind: { ...ofEmbeddedTypeMeta('kind'), ...stringType },
    metadata: dialect.property(`${meta}.ObjectMeta`, ofObjectMeta()),
  };
  const required = new Set(schema.required as string[] | undefined);
  schema.required = [...required.add('kind').add('apiVersion')];
}
