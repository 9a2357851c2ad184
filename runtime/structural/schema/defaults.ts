import { cloneJson } from '../../machinery/json/clone.ts';
import { ObjectGrowth } from '../../machinery/json/object-growth.ts';
import { jsonSize } from '../../machinery/json/size.ts';
import { isJsonObject, memberOf, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { coerceEmbedded, embeddedNode } from './embedded.ts';
import { propertiesOf } from './nodes.ts';
import { getObjectMetaDroppingInvalid } from './object-meta.ts';
import { pruneNode, pruneValue } from './prune.ts';

/** The defaults of a schema and of its parts. */
export interface DefaultNode {
  readonly hasDefault: boolean;
  /** Null without a default. */
  readonly value: Json;
  /** The bytes of `value` as JSON, without the defaults below it. */
  readonly size: number;
  readonly nullable: boolean;
  /** Members with a default, in the order of the schema. */
  readonly properties: readonly (readonly [name: string, node: DefaultNode])[];
  /** Members without a default, but with defaults below. */
  readonly leading: ReadonlyMap<string, DefaultNode> | undefined;
  readonly known: ReadonlySet<string>;
  readonly additional: DefaultNode | undefined;
  readonly items: DefaultNode | undefined;
}

/**
 * Returns undefined if the schema has no defaults. Default values are pruned by their own schema; in the metadata of an
 * embedded resource, they are reduced to the fields of ObjectMeta.
 *
 * @param inMetadata the names from the metadata to this schema, such as `['labels']`; absent outside of metadata
 */
export function defaultNode(schema: JsonSchema, inMetadata?: readonly string[]): DefaultNode | undefined {
  const inItems = itemSchema(schema);
  const inAdditional = valueSchema(schema);
  const items = inItems && defaultNode(inItems);
  const additional = inAdditional && defaultNode(inAdditional);
  const properties: [string, DefaultNode][] = [];
  const leading = new Map<string, DefaultNode>();
  for (const [name, inner] of propertiesOf(schema)) {
    const isMetadata = name === 'metadata' && schema['x-kubernetes-embedded-resource'] === true;
    const node = defaultNode(inner, isMetadata ? [] : inMetadata && [...inMetadata, name]);
    if (node?.hasDefault) properties.push([name, node]);
    else if (node) leading.set(name, node);
  }
  const given = schema.default ?? undefined;
  const pruned = given === undefined ? undefined : prunedDefault(schema, given as Json, inMetadata);
  const hasDefault = pruned !== undefined;
  if (!hasDefault && !items && !additional && properties.length + leading.size === 0) return undefined;
  const value = pruned ?? null;
  const known = new Set(Object.keys(schema.properties ?? {}));
  return {
    hasDefault,
    value,
    size: hasDefault ? jsonSize(value) : 0,
    nullable: schema.nullable === true,
    properties,
    leading: leading.size === 0 ? undefined : leading,
    known,
    items,
    additional,
  };
}

/** Returns undefined for a field that ObjectMeta does not have. (pkg/apiserver/schema/defaulting/prune.go) */
function prunedDefault(schema: JsonSchema, given: Json, inMetadata: readonly string[] | undefined): Json | undefined {
  if (inMetadata !== undefined) return metadataDefault(given, inMetadata);
  const embedded = embeddedNode(schema);
  if (embedded === undefined) return pruneValue(pruneNode(schema), given, undefined);
  const value = cloneJson(given);
  coerceEmbedded(embedded, value, FieldPath.root, { dropInvalidFields: true });
  return pruneValue(pruneNode(schema), value, undefined);
}

/** Puts the default into metadata that has nothing else. */
function metadataDefault(given: Json, names: readonly string[]): Json | undefined {
  const surrounding = names.reduceRight<Json>((inner, name) => ({ [name]: inner }), given);
  let found: Json | undefined = getObjectMetaDroppingInvalid(surrounding) as Json | undefined;
  for (const name of names) found = isJsonObject(found) ? memberOf(found, name) : undefined;
  return found;
}

/** Counts the size of a default and returns a copy of it, or null. */
function defaultValue({ value, size }: DefaultNode, name: string, growth: ObjectGrowth): Json {
  growth.add(size + name.length);
  return typeof value === 'object' ? cloneJson(value) : value;
}

/**
 * Replaces missing values, and nulls that the schema does not allow, by defaults. (pkg/apiserver/schema/defaulting)
 *
 * @throws StatusError 500 if the defaults alone exceed the size limit of an object; the value then has some of them
 */
export function applyDefaults(node: DefaultNode, value: Json): void {
  fillIn(node, value, new ObjectGrowth());
}

function fillIn(node: DefaultNode, value: Json, growth: ObjectGrowth): void {
  if (Array.isArray(value)) {
    const { items } = node;
    if (!items) return;
    for (let index = 0; index < value.length; index++) {
      let item = value[index] ?? null;
      if (item === null && !items.nullable) {
        item = defaultValue(items, '', growth);
        value[index] = item;
      }
      fillIn(items, item, growth);
    }
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, property] of node.properties) {
    let member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined || (member === null && !property.nullable)) {
      member = defaultValue(property, name, growth);
      setMember(value, name, member);
    }
    if (typeof member === 'object' && member !== null) fillIn(property, member, growth);
  }
  if (node.leading) {
    // iterate over the value, which may be smaller than the schema
    for (const name in value) {
      const member = value[name];
      if (typeof member !== 'object' || member === null) continue;
      const property = node.leading.get(name);
      if (property) fillIn(property, member, growth);
    }
  }
  if (node.additional) fillInAdditional(node.additional, node.known, value, growth);
}

/** Reports whether applyDefaults would change the value. */
export function lacksDefaults(node: DefaultNode, value: Json): boolean {
  if (Array.isArray(value)) {
    const { items } = node;
    return items !== undefined && value.some((item) => lacks(items, item));
  }
  if (!isJsonObject(value)) return false;
  for (const [name, property] of node.properties) {
    if (!Object.hasOwn(value, name) || lacks(property, value[name] ?? null)) return true;
  }
  const { leading, additional, known } = node;
  if (leading === undefined && additional === undefined) return false;
  return Object.keys(value).some((name) => {
    const property = leading?.get(name);
    if (property !== undefined) return lacksDefaults(property, value[name] ?? null);
    return additional !== undefined && !known.has(name) && lacks(additional, value[name] ?? null);
  });
}

const lacks = (node: DefaultNode, value: Json): boolean =>
  value === null ? !node.nullable && node.value !== null : lacksDefaults(node, value);

function fillInAdditional(node: DefaultNode, known: ReadonlySet<string>, value: JsonObject, growth: ObjectGrowth): void {
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    if (value[name] === null && !node.nullable) setMember(value, name, defaultValue(node, '', growth));
    fillIn(node, value[name] ?? null, growth);
  }
}
