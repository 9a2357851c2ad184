import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement } from '../fieldpath/path-element.ts';
import { memberSchema, resolveAtom } from './atom.ts';
import { listItemToPathElement } from './list-item.ts';

/**
 * Removes fields and items. An emptied object or list becomes null. The result may share parts with the value.
 * (structured-merge-diff typed/remove.go)
 */
export function removeItems(value: Json, items: FieldSet, schema: MergeSchema): Json {
  if (items.isEmpty) return value;
  const atom = resolveAtom(schema, value);
  if (atom.kind === 'scalar') return value;
  if (atom.kind === 'list') {
    return Array.isArray(value) && value.length > 0 && atom.listType !== 'atomic' ? removeFromList(value, items, atom) : null;
  }
  return isJsonObject(value) && atom.mapType !== 'atomic' ? removeFromMap(value, items, atom) : null;
}

function removeFromList(value: readonly Json[], items: FieldSet, list: ListMerge): Json {
  const remaining: Json[] = [];
  const schema = list.items();
  for (const item of value) {
    const element = listItemToPathElement(list, item);
    const node = typeof element === 'string' ? items.node(element) : undefined;
    if (node?.member) continue;
    remaining.push(node?.children ? removeItems(item, node.children, schema) : item);
  }
  return remaining.length > 0 ? remaining : null;
}

function removeFromMap(value: JsonObject, items: FieldSet, schema: StructMerge | MapMerge): Json {
  const remaining: JsonObject = {};
  let isEmpty = true;
  for (const [name, before] of Object.entries(value)) {
    const node = items.node(fieldElement(name));
    if (node?.member) continue;
    const member = node?.children ? removeItems(before, node.children, memberSchema(schema, name)) : before;
    setMember(remaining, name, member);
    isEmpty = false;
  }
  return isEmpty ? null : remaining;
}
