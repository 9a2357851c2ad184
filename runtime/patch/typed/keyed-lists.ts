import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { listItemFailure } from './list-item.ts';

/**
 * Reports whether an item of a `map` list has no key. A value that its type has decoded differs from its schema in nothing else,
 * so validateTyped need not look at the rest.
 */
export function hasItemWithoutKey(value: Json, schema: MergeSchema): boolean {
  if (typeof value !== 'object' || value === null) return false;
  switch (schema.kind) {
    case 'list':
      return isKeyed(schema) && hasListItemWithoutKey(value as readonly Json[], schema);
    case 'struct':
      for (const [name, inner] of keyedMembersOf(schema)) {
        const member = (value as JsonObject)[name];
        if (typeof member === 'object' && hasItemWithoutKey(member, inner)) return true;
      }
      return false;
    case 'map':
      return isKeyed(schema) && Object.values(value as JsonObject).some((member) => hasItemWithoutKey(member ?? null, schema.values()));
    default:
      return false;
  }
}

function hasListItemWithoutKey(items: readonly Json[], list: ListMerge): boolean {
  const schema = list.items();
  const isMap = list.listType === 'map';
  for (const item of items) {
    if (isMap && listItemFailure(list, item) !== undefined) return true;
    if (hasItemWithoutKey(item, schema)) return true;
  }
  return false;
}

type KeyedMembers = readonly (readonly [name: string, schema: MergeSchema])[];

const membersByStruct = new WeakMap<StructMerge, KeyedMembers>();

/** Returns the members whose values may have `map` lists. A pod has more than a hundred members, and less than twenty of these. */
function keyedMembersOf(schema: StructMerge): KeyedMembers {
  let members = membersByStruct.get(schema);
  if (members === undefined) {
    members = Object.entries(schema.fields).flatMap(([name, inner]) => (isKeyed(inner()) ? [[name, inner()] as const] : []));
    membersByStruct.set(schema, members);
  }
  return members;
}

const known = new WeakMap<MergeSchema, boolean>();

/** Reports whether values of a schema may have `map` lists. Schemas may contain themselves. */
function isKeyed(schema: MergeSchema): boolean {
  let result = known.get(schema);
  if (result === undefined) {
    result = findKeyedList(schema, new Set());
    known.set(schema, result);
  }
  return result;
}

function findKeyedList(schema: MergeSchema, visited: Set<MergeSchema>): boolean {
  if (visited.has(schema)) return false;
  visited.add(schema);
  switch (schema.kind) {
    case 'list':
      return schema.listType === 'map' || findKeyedList(schema.items(), visited);
    case 'map':
      return findKeyedList(schema.values(), visited);
    case 'struct':
      return Object.values(schema.fields).some((inner) => findKeyedList(inner(), visited));
    default:
      return false;
  }
}
