import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';
import { elementsOf } from './list-element.ts';
import { isNamedField, memberSchema, shapeOf } from './schema-of.ts';

/**
 * Every leaf that the value mentions, every item of a list and every key of a map.
 * (structured-merge-diff typed/tofieldset.go)
 */
export function toFieldSet(value: Json, schema: MergeSchema): FieldSet {
  const found = fieldsOf(value, schema);
  return found === 'leaf' || found === undefined ? FieldSet.empty : found;
}

/** `leaf`: the value counts as a whole. Otherwise what is below it. */
function fieldsOf(value: Json, schema: MergeSchema): FieldSet | 'leaf' | undefined {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'scalar') return 'leaf';
  if (shape.kind === 'list') {
    if (shape.listType === 'atomic') return 'leaf';
    return Array.isArray(value) ? listFields(value, shape) : undefined;
  }
  if (shape.mapType === 'atomic') return 'leaf';
  return isJsonObject(value) ? mapFields(value, shape) : undefined;
}

function mapFields(value: JsonObject, schema: StructMerge | MapMerge): FieldSet {
  const set = new FieldSet();
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const found = fieldsOf(member, memberSchema(schema, name));
    const counts = found === 'leaf' || isVoid(member) || !isNamedField(schema, name);
    set.put(fieldElement(name), counts, found === 'leaf' ? undefined : found);
  }
  return set;
}

/** Null, or an object with nothing in it. */
const isVoid = (value: Json): boolean =>
  value === null || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

function listFields(items: readonly Json[], list: ListMerge): FieldSet {
  const set = new FieldSet();
  const elements = elementsOf(list, items);
  const repeated = repeatedIn(elements);
  const schema = list.items();
  let before: FieldSet | undefined;
  for (const [index, element] of elements.entries()) {
    if (element === undefined) continue;
    // items of one name cannot be told apart: they count as one leaf
    const found = repeated?.has(element) ? 'leaf' : fieldsOf(items[index], schema);
    // most items have the fields of the one before: a set for each would take more memory than the items
    const below = found === 'leaf' ? undefined : before && found?.equals(before) ? before : found;
    set.put(element, true, below);
    before = below ?? before;
  }
  return set;
}

function repeatedIn(elements: readonly (PathElement | undefined)[]): Set<PathElement> | undefined {
  const seen = new Set<PathElement>();
  let repeated: Set<PathElement> | undefined;
  for (const element of elements) {
    if (element === undefined) continue;
    if (seen.has(element)) {
      repeated ??= new Set();
      repeated.add(element);
    }
    seen.add(element);
  }
  return repeated;
}
