import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import type { FieldSet } from '../field-set/field-set.ts';
import { fieldElement } from '../field-set/path-element.ts';
import { identify } from './list-element.ts';
import { memberSchema, shapeOf } from './schema-of.ts';

/**
 * The value without these fields and items. What loses all it had is null. Parts that stay are shared.
 * (structured-merge-diff typed/remove.go)
 */
export function removeItems(value: Json, items: FieldSet, schema: MergeSchema): Json {
  if (items.isEmpty) return value;
  const shape = shapeOf(schema, value);
  if (shape.kind === 'scalar') return value;
  if (shape.kind === 'list') {
    return Array.isArray(value) && value.length > 0 && shape.listType !== 'atomic'
      ? removeFromList(value, items, shape)
      : null;
  }
  return isJsonObject(value) && shape.mapType !== 'atomic' ? removeFromMap(value, items, shape) : null;
}

function removeFromList(value: readonly Json[], items: FieldSet, list: ListMerge): Json {
  const left: Json[] = [];
  const schema = list.items();
  for (const item of value) {
    const element = identify(list, item);
    const node = typeof element === 'string' ? items.node(element) : undefined;
    if (node?.member) continue;
    left.push(node?.children ? removeItems(item, node.children, schema) : item);
  }
  return left.length > 0 ? left : null;
}

function removeFromMap(value: JsonObject, items: FieldSet, schema: StructMerge | MapMerge): Json {
  const left: JsonObject = {};
  let any = false;
  for (const name of Object.keys(value)) {
    const node = items.node(fieldElement(name));
    if (node?.member) continue;
    const member = node?.children ? removeItems(value[name], node.children, memberSchema(schema, name)) : value[name];
    setMember(left, name, member);
    any = true;
  }
  return any ? left : null;
}
