import type { SchemaResolver } from '../../controllers/validating-admission-policy-status/expression-warnings.ts';
import { readDocument, sectionOf } from '../../endpoints/discovery/openapi-file.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { GroupVersion, GroupVersionKind } from '../../machinery/gvk.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';

const prefix = '#/components/schemas/';
const kindKey = 'x-kubernetes-group-version-kind';

interface DocumentSchema extends JsonSchema {
  readonly [kindKey]?: readonly GroupVersionKind[];
}

/** Finds schemas in the server's OpenAPI v3 documents. (apiserver pkg/cel/openapi/resolver) */
export const newSchemaResolver =
  (registry: ResourceRegistry): SchemaResolver =>
  async (kind) => {
    const texts = await schemasOf(registry, kind);
    for (const text of texts.values()) {
      if (!text.includes(kindKey) || !text.includes(JSON.stringify(kind.kind))) continue;
      const schema = JSON.parse(text) as DocumentSchema;
      const isKind = schema[kindKey]?.some((one) => one.group === kind.group && one.version === kind.version && one.kind === kind.kind);
      if (isKind) return new References(texts).resolve(schema);
    }
    return undefined;
  };

async function schemasOf(registry: ResourceRegistry, { group, version }: GroupVersion): Promise<ReadonlyMap<string, string>> {
  const found = registry.groupVersions().find((one) => one.group === group && one.version === version);
  const file = found?.openapi?.file ?? found?.schemasFile;
  const slice = new TimeSlice();
  const schemas = new Map(file === undefined ? [] : sectionOf(await readDocument(file, slice), 'components.schemas'));
  for (const part of found?.openapiParts ?? []) {
    for (const [name, text] of (await part.v3()).schemas) schemas.set(name, text);
    if (slice.isOver) await slice.next();
  }
  return schemas;
}

/** Replaces references by their schemas. A type within itself becomes an object without fields. (PopulateRefs) */
class References {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #open = new Set<string>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  resolve(schema: JsonSchema): JsonSchema {
    const ref = refOf(schema);
    if (ref !== undefined) return this.#referred(ref.slice(prefix.length));
    const { properties, additionalProperties, items } = schema;
    return {
      ...schema,
      // built-in types state int-or-string as a format
      ...(schema.format === 'int-or-string' && { 'x-kubernetes-int-or-string': true }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.resolve(one)])),
      }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: this.resolve(additionalProperties) }),
      ...(isSchema(items) && { items: this.resolve(items) }),
    };
  }

  #referred(name: string): JsonSchema {
    const text = this.#texts.get(name);
    if (text === undefined || this.#open.has(name)) return { type: 'object' };
    this.#open.add(name);
    const resolved = this.resolve(JSON.parse(text) as JsonSchema);
    this.#open.delete(name);
    return resolved;
  }
}

const isSchema = (items: JsonSchema['items']): items is JsonSchema => items !== undefined && !Array.isArray(items);

/** Returns the reference of a schema. It may be in allOf, beside a description. */
const refOf = ({ $ref, allOf = [] }: JsonSchema): string | undefined => $ref ?? allOf.find((one) => one.$ref)?.$ref;
