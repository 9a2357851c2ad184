import { StepPath, withStep } from '../../machinery/json/step-path.ts';
import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { propertiesOf } from './nodes.ts';

/**
 * The parts of a value that a schema keeps. "anything" is the schema below `additionalProperties: true` and of lists
 * without `items`: it drops members of objects and keeps scalars.
 */
export interface PruneNode {
  readonly properties: ReadonlyMap<string, PruneNode> | undefined;
  readonly additional: PruneNode | 'anything' | undefined;
  readonly items: PruneNode | 'anything';
  /** Unknown members are kept unchanged. */
  readonly preserve: boolean;
  /**
   * The treatment of apiVersion, kind and metadata: like other members, kept (embedded resources), or left to the
   * caller (root).
   */
  readonly meta: 'members' | 'keep' | 'leave';
  /** A null here is dropped from its object. */
  readonly dropsNull: boolean;
}

export interface PruneOptions {
  /** True for the schema of a whole custom resource. */
  readonly root?: boolean;
  /** Nulls to keep in spite of the schema: all, or those that validation refuses. */
  readonly nulls?: 'all' | 'refused';
}

export function pruneNode(schema: JsonSchema, options: PruneOptions = {}): PruneNode {
  if (options.root) return makeNode(schema, options);
  return nodes[options.nulls ?? 'none'](schema);
}

const nodes = {
  none: perSchema((schema) => makeNode(schema, {})),
  all: perSchema((schema) => makeNode(schema, { nulls: 'all' })),
  refused: perSchema((schema) => makeNode(schema, { nulls: 'refused' })),
};

/** Only a schema with a type refuses null. */
const hasType = (schema: JsonSchema): boolean => schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true;

function makeNode(schema: JsonSchema, options: PruneOptions): PruneNode {
  const inside: PruneOptions = options.nulls ? { nulls: options.nulls } : {};
  const properties = propertiesOf(schema);
  const additional = valueSchema(schema);
  const items = itemSchema(schema);
  return {
    properties: properties.length === 0 ? undefined : new Map(properties.map(([name, inner]) => [name, pruneNode(inner, inside)])),
    additional: additional ? pruneNode(additional, inside) : schema.additionalProperties === undefined ? undefined : 'anything',
    items: items ? pruneNode(items, inside) : 'anything',
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    meta: options.root ? 'leave' : schema['x-kubernetes-embedded-resource'] === true ? 'keep' : 'members',
    dropsNull:
      !(options.nulls === 'all' || (options.nulls === 'refused' && hasType(schema))) &&
      schema.nullable !== true &&
      (schema.default === undefined || schema.default === null),
  };
}

/** The maximum number of collected paths, more than any response shows. */
const maxCollectedPaths = 1_000;

/** Collects the paths of unknown members, as `spec.list[0].name`. */
export class UnknownFields {
  readonly #path = new StepPath();
  #paths: string[] = [];

  enter(step: string | number): void {
    this.#path.enter(step);
  }

  leave(): void {
    this.#path.leave();
  }

  note(name: string): void {
    this.#paths.push(withStep(this.#path.toString(), name));
    // keep only the paths that sort first
    if (this.#paths.length === 2 * maxCollectedPaths) this.#paths = this.sorted();
  }

  /** The collected paths, sorted. */
  sorted(): string[] {
    return this.#paths.sort().slice(0, maxCollectedPaths);
  }
}

const isMetaField = (name: string): boolean => name === 'metadata' || name === 'kind' || name === 'apiVersion';

/**
 * Returns the value without unknown members, and without null members that the schema neither allows nor defaults. The
 * value is not changed. The result shares unchanged parts with it, because a copy of a large object would double its
 * memory. (pkg/apiserver/schema/pruning, pkg/apiserver/schema/defaulting/prunenulls.go)
 */
export function pruneValue(node: PruneNode, value: Json, unknown: UnknownFields | undefined): Json {
  return prune(node, value, unknown, node.preserve);
}

function prune(node: PruneNode, value: Json, unknown: UnknownFields | undefined, preserve: boolean): Json {
  if (Array.isArray(value)) return pruneList(node, value, unknown, preserve);
  return isJsonObject(value) ? pruneObject(node, value, unknown, preserve) : value;
}

export function pruneObject(node: PruneNode, value: JsonObject, unknown: UnknownFields | undefined, preserve: boolean): JsonObject {
  const { properties, additional, meta } = node;
  let output: JsonObject | undefined;
  for (const name in value) {
    const member = value[name];
    const inner = properties?.get(name) ?? additional;
    // undefined: the member is dropped
    let left: Json | undefined = member;
    if (member === null && typeof inner === 'object' && inner.dropsNull) left = undefined;
    else if (meta !== 'members' && isMetaField(name)) left = meta === 'keep' ? member : undefined;
    else if (inner === undefined) {
      if (!preserve) {
        unknown?.note(name);
        left = undefined;
      }
    } else if (typeof member === 'object' && member !== null) {
      unknown?.enter(name);
      left = inner === 'anything' ? pruneAnything(member, unknown) : pruneValue(inner, member, unknown);
      unknown?.leave();
    }
    if (output === undefined) {
      if (left === member) continue;
      output = membersBefore(value, name);
    }
    if (left !== undefined) setMember(output, name, left);
  }
  return output ?? value;
}

function membersBefore(value: JsonObject, end: string): JsonObject {
  const members: JsonObject = {};
  for (const name in value) {
    if (name === end) break;
    setMember(members, name, value[name]);
  }
  return members;
}

function pruneList(node: PruneNode, list: Json[], unknown: UnknownFields | undefined, preserve: boolean): Json[] {
  const { items } = node;
  if (items === 'anything') return preserve ? list : (pruneAnything(list, unknown) as Json[]);
  // items of a preserving list preserve too, regardless of their own schema
  return pruneItems(list, unknown, (item) => prune(items, item, unknown, preserve || items.preserve));
}

function pruneAnything(value: Json, unknown: UnknownFields | undefined): Json {
  if (Array.isArray(value)) return pruneItems(value, unknown, (item) => pruneAnything(item, unknown));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  if (unknown) for (const name of names) unknown.note(name);
  return names.length === 0 ? value : {};
}

function pruneItems(list: Json[], unknown: UnknownFields | undefined, pruneItem: (item: Json) => Json): Json[] {
  let output: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (typeof item !== 'object' || item === null) continue;
    unknown?.enter(index);
    const left = pruneItem(item);
    unknown?.leave();
    if (left === item) continue;
    output ??= list.slice();
    output[index] = left;
  }
  return output ?? list;
}
