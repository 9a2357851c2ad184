import type { Json, JsonObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { listItemFailure } from './list-item.ts';

const known = new WeakMap<MergeSchema, boolean>();

/**
 * Reports whether an item of a `map` list has no key. A value that its type has decoded differs from its schema in nothing else,
 * so validateTyped need not look at the rest.
 */
export function hasItemWithoutKey(value: Json, schema: MergeSchema): boolean {
  if (typeof value !== 'object' || value === null || !hasKeyedLists(schema)) return false;
  switch (schema.kind) {
    case 'list':
      return (value as readonly Json[]).some(
        (item) => (schema.listType === 'map' && listItemFailure(schema, item) !== undefined) || hasItemWithoutKey(item, schema.items()),
      );
    case 'struct':
      for (const name in value) {
        const inner = schema.fields[name];
        if (inner !== undefined && hasItemWithoutKey((value as JsonObject)[name] ?? null, inner())) return true;
      }
      return false;
    case 'map':
      return Object.values(value as JsonObject).some((member) => hasItemWithoutKey(member ?? null, schema.values()));
    default:
      return false;
  }
}

/** Reports whether values of a schema may have `map` lists. Schemas may contain themselves. */
function hasKeyedLists(schema: MergeSchema): boolean {
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
