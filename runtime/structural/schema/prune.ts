import { cloneJson } from '../../machinery/json/clone.ts';
import { StepPath, withStep } from '../../machinery/json/step-path.ts';
import { setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { itemSchema, type JsonSchema, valueSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { propertiesOf } from './nodes.ts';

/**
 * What a schema keeps of a value. "anything" stands for the value below `additionalProperties: true` and in lists
 * without a schema for their items: members of objects go, scalars stay.
 */
export interface PruneNode {
  readonly properties: ReadonlyMap<string, PruneNode> | undefined;
  readonly additional: PruneNode | 'anything' | undefined;
  readonly items: PruneNode | 'anything';
  /** Members that are not known stay, as they are. */
  readonly preserve: boolean;
  /** apiVersion, kind and metadata: members as others, kept in embedded resources, left to the caller at the root. */
  readonly meta: 'members' | 'keep' | 'leave';
  /** A null here goes, when it is a member of an object. */
  readonly dropsNull: boolean;
}

export interface PruneOptions {
  /** The schema is that of a whole custom resource. */
  readonly root?: boolean;
  /** Nulls are kept, all of them. */
  readonly nulls?: boolean;
}

export function pruneNode(schema: JsonSchema, options: PruneOptions = {}): PruneNode {
  if (options.root) return makeNode(schema, options);
  return options.nulls ? nodeWithNulls(schema) : node(schema);
}

const node = perSchema((schema) => makeNode(schema, {}));
const nodeWithNulls = perSchema((schema) => makeNode(schema, { nulls: true }));

function makeNode(schema: JsonSchema, options: PruneOptions): PruneNode {
  const inside = { nulls: options.nulls === true };
  const properties = propertiesOf(schema);
  const additional = valueSchema(schema);
  const items = itemSchema(schema);
  return {
    properties:
      properties.length === 0
        ? undefined
        : new Map(properties.map(([name, inner]) => [name, pruneNode(inner, inside)])),
    additional: additional
      ? pruneNode(additional, inside)
      : schema.additionalProperties === undefined
        ? undefined
        : 'anything',
    items: items ? pruneNode(items, inside) : 'anything',
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    meta: options.root ? 'leave' : schema['x-kubernetes-embedded-resource'] === true ? 'keep' : 'members',
    dropsNull: !options.nulls && schema.nullable !== true && (schema.default === undefined || schema.default === null),
  };
}

/** Most paths that are told: more than any answer shows. */
const maxFound = 1_000;

/** Where unknown members are noted: their paths, as `spec.list[0].name`. */
export class UnknownFields {
  readonly #path = new StepPath();
  #found: string[] = [];

  enter(step: string | number): void {
    this.#path.enter(step);
  }

  leave(): void {
    this.#path.leave();
  }

  note(name: string): void {
    this.#found.push(withStep(this.#path.toString(), name));
    // of very many only those are kept that come first in the end
    if (this.#found.length === 2 * maxFound) this.#found = this.sorted();
  }

  /** What was found, in its order. */
  sorted(): string[] {
    return this.#found.sort().slice(0, maxFound);
  }
}

const isMetaField = (name: string): boolean => name === 'metadata' || name === 'kind' || name === 'apiVersion';

/**
 * A copy of the value without what the schema does not know, and without members that are null where the schema allows
 * no null and has no default. (pkg/apiserver/schema/pruning, pkg/apiserver/schema/defaulting/prunenulls.go)
 */
export function pruneValue(node: PruneNode, value: Json, unknown: UnknownFields | undefined): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? pruneList(node, value, unknown, node.preserve)
    : pruneObject(node, value, unknown, node.preserve);
}

/** Below a list that preserves, items preserve too, whatever their own schema says. */
function preserveValue(node: PruneNode, value: Json, unknown: UnknownFields | undefined): Json {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? pruneList(node, value, unknown, true) : pruneObject(node, value, unknown, true);
}

export function pruneObject(
  node: PruneNode,
  value: JsonObject,
  unknown: UnknownFields | undefined,
  preserve: boolean,
): JsonObject {
  const output: JsonObject = {};
  const { properties, additional } = node;
  for (const name in value) {
    const member = value[name];
    const property = properties?.get(name);
    const inner = property ?? additional;
    if (member === null && typeof inner === 'object' && inner.dropsNull) continue;
    if (node.meta !== 'members' && isMetaField(name)) {
      if (node.meta === 'keep') setMember(output, name, cloneJson(member));
    } else if (inner !== undefined) {
      if (typeof member !== 'object' || member === null) setMember(output, name, member);
      else {
        unknown?.enter(name);
        setMember(
          output,
          name,
          inner === 'anything' ? pruneAnything(member, unknown) : pruneValue(inner, member, unknown),
        );
        unknown?.leave();
      }
    } else if (preserve) setMember(output, name, cloneJson(member));
    else unknown?.note(name);
  }
  return output;
}

function pruneList(node: PruneNode, list: Json[], unknown: UnknownFields | undefined, preserve: boolean): Json[] {
  const { items } = node;
  if (preserve && items === 'anything') return cloneJson(list);
  return list.map((item, index) => {
    if (typeof item !== 'object' || item === null) return item;
    unknown?.enter(index);
    let output: Json;
    if (items === 'anything') output = pruneAnything(item, unknown);
    else output = preserve ? preserveValue(items, item, unknown) : pruneValue(items, item, unknown);
    unknown?.leave();
    return output;
  });
}

function pruneAnything(value: Json, unknown: UnknownFields | undefined): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    if (unknown) for (const name of Object.keys(value)) unknown.note(name);
    return {};
  }
  return value.map((item, index) => {
    unknown?.enter(index);
    const output = pruneAnything(item, unknown);
    unknown?.leave();
    return output;
  });
}
