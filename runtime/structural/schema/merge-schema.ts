import { defined } from '../../machinery/json/defined.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import {
  boolean,
  type ListMerge,
  list,
  type MergeSchema,
  number,
  type StructMerge,
  scalar,
  text,
  untyped,
} from '../../machinery/schema/merge-schema.ts';
import { propertiesOf } from './nodes.ts';
import { objectMetaMerge } from './object-meta-merge.ts';

type Fields = Record<string, () => MergeSchema>;

/**
 * Returns the merge schema of a custom resource. The root and embedded resources merge apiVersion, kind and metadata as
 * every kind does. The schema must be structural. (kube-openapi pkg/schemaconv/openapi.go; its input is built by
 * apiextensions pkg/controller/openapi/builder)
 *
 * @param isRoot Default: true.
 */
export function mergeSchemaOf(schema: JsonSchema | undefined, isRoot = true): MergeSchema {
  if (schema === undefined) return untyped();
  return new Converter().convert(schema, isRoot || isEmbedded(schema), false);
}

const isEmbedded = (schema: JsonSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;

class Converter {
  /** @param preserves whether an enclosing schema preserves unknown fields, which this schema inherits */
  convert(schema: JsonSchema, isResource: boolean, preserves: boolean): MergeSchema {
    const open = preserves || schema['x-kubernetes-preserve-unknown-fields'] === true;
    switch (schema.type ?? '') {
      case 'object':
        return this.#object(schema, isResource, open);
      case 'array':
        return this.#list(schema, open);
      case 'integer':
      case 'number':
        return number();
      case 'boolean':
        return boolean();
      case 'string':
        return schema.format === undefined || schema.format === '' || schema.format === 'byte' ? text() : scalar();
      default:
        return this.#anything(schema, isResource, open);
    }
  }

  /** A schema without a type allows any value. Its rules for objects, or else for lists, still apply. */
  #anything(schema: JsonSchema, isResource: boolean, open: boolean): MergeSchema {
    if (isResource || schema.properties !== undefined || schema.additionalProperties !== undefined) {
      return this.#object(schema, isResource, open);
    }
    return itemSchema(schema) === undefined ? untyped() : this.#list(schema, open);
  }

  #object(schema: JsonSchema, isResource: boolean, open: boolean): MergeSchema {
    const fields: Fields = {};
    for (const [name, inner] of propertiesOf(schema)) define(fields, name, this.#later(inner, open));
    if (isResource) Object.assign(fields, resourceFields);
    const others = this.#others(schema, open, Object.keys(fields).length === 0);
    const mapType = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular';
    if (Object.keys(fields).length === 0 && others !== undefined) return { kind: 'map', values: others, mapType, ...patchFacts(schema) };
    const strategies = propertiesOf(schema).flatMap(([name, inner]) => {
      const strategy = inner['x-kubernetes-patch-strategy'];
      return strategy === undefined || inner.type === 'array' ? [] : [[name, strategy] as const];
    });
    return {
      kind: 'struct',
      fields,
      mapType,
      ...defined({ others }),
      ...(strategies.length === 0 ? {} : { patchStrategies: Object.fromEntries(strategies) }),
    } satisfies StructMerge;
  }

  #others(schema: JsonSchema, open: boolean, isBare: boolean): (() => MergeSchema) | undefined {
    const { additionalProperties } = schema;
    if (additionalProperties === undefined) return open || isBare ? untyped : undefined;
    const additional = valueSchema(schema);
    if (additional !== undefined) return this.#later(additional, open);
    return additionalProperties === true ? untyped : undefined;
  }

  #list(schema: JsonSchema, open: boolean): ListMerge {
    const items = itemSchema(schema) ?? {};
    const type = schema['x-kubernetes-list-type'];
    const item = this.#later(items, open);
    const patch = patchFacts(schema);
    if (type === 'set') return list(item, { listType: 'set', ...patch })();
    if (type !== 'map') return list(item, { listType: 'atomic', ...patch })();
    const mapKeys = schema['x-kubernetes-list-map-keys'] ?? [];
    const keyDefaults = defaultsOf(items, mapKeys);
    return list(item, { listType: 'map', mapKeys, ...patch, ...defined({ keyDefaults }) })();
  }

  /** Converts on first use: many schemas have objects that are never applied. */
  #later(schema: JsonSchema, open: boolean): () => MergeSchema {
    let made: MergeSchema | undefined;
    return () => {
      made ??= this.convert(schema, isEmbedded(schema), open);
      return made;
    };
  }
}

/** Returns how strategic merge patch treats a list or a map. */
function patchFacts(schema: JsonSchema): { readonly patchStrategy?: string; readonly patchMergeKey?: string } {
  const patchStrategy = schema['x-kubernetes-patch-strategy'];
  const patchMergeKey = schema['x-kubernetes-patch-merge-key'];
  return { ...(patchStrategy && { patchStrategy }), ...(patchMergeKey && { patchMergeKey }) };
}

const resourceFields: Fields = { apiVersion: text, kind: text, metadata: () => objectMetaMerge };

function defaultsOf(items: JsonSchema, keys: readonly string[]): ListMerge['keyDefaults'] {
  const properties = new Map(propertiesOf(items));
  const defaults = keys.flatMap((key) => {
    const value = properties.get(key)?.default;
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[key, value] as const] : [];
  });
  return defaults.length === 0 ? undefined : Object.fromEntries(defaults);
}

/** Defines a field with any name: the author of a schema may use `__proto__`. */
function define(fields: Fields, name: string, value: () => MergeSchema): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}
