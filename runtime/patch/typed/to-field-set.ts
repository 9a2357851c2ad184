import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { isNamedField, memberSchema, resolveAtom } from './atom.ts';
import { pathElementsOf } from './list-item.ts';

/**
 * Returns the leaves of the value, the items of its lists and the keys of its maps.
 * (structured-merge-diff typed/tofieldset.go)
 */
export function toFieldSet(value: Json, schema: MergeSchema): FieldSet {
  const found = fieldsOf(value, schema);
  return found === 'leaf' || found === undefined ? FieldSet.empty : found;
}

/** Returns the children of a value, or `leaf` if it is a leaf. */
function fieldsOf(value: Json, schema: MergeSchema): FieldSet | 'leaf' | undefined {
  const atom = resolveAtom(schema, value);
  if (atom.kind === 'scalar') return 'leaf';
  if (atom.kind === 'list') {
    if (atom.listType === 'atomic') return 'leaf';
    return Array.isArray(value) ? listFields(value, atom) : undefined;
  }
  if (atom.mapType === 'atomic') return 'leaf';
  return isJsonObject(value) ? mapFields(value, atom) : undefined;
}

function mapFields(value: JsonObject, schema: StructMerge | MapMerge): FieldSet {
  const set = new FieldSet();
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const found = fieldsOf(member, memberSchema(schema, name));
    const counts = found === 'leaf' || isEmptyOrNull(member) || !isNamedField(schema, name);
    set.put(fieldElement(name), counts, found === 'leaf' ? undefined : found);
  }
  return set;
}

const isEmptyOrNull = (value: Json): boolean => value === null || (isJsonObject(value) && Object.keys(value).length === 0);

function listFields(items: readonly Json[], list: ListMerge): FieldSet {
  const set = new FieldSet();
  const elements = pathElementsOf(list, items);
  const duplicates = duplicatesIn(elements);
  const schema = list.items();
  let before: FieldSet | undefined;
  for (const [index, item] of items.entries()) {
    const element = elements[index];
    if (element === undefined) continue;
    // duplicate items count as one leaf
    const found = duplicates?.has(element) ? 'leaf' : fieldsOf(item, schema);
    // most items have the same fields as the item before: a set for each would take more memory than the items
    const below = found === 'leaf' ? undefined : before && found?.equals(before) ? before : found;
    set.put(element, true, below);
    before = below ?? before;
  }
  return set;
}

function duplicatesIn(elements: readonly (PathElement | undefined)[]): Set<PathElement> | undefined {
  const seen = new Set<PathElement>();
  let duplicates: Set<PathElement> | undefined;
  for (const element of elements) {
    if (element === undefined) continue;
    if (seen.has(element)) {
      duplicates ??= new Set();
      duplicates.add(element);
    }
    seen.add(element);
  }
  return duplicates;
}
