import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { FieldFilter } from '../field-set/filter.ts';
import { fieldElement, type PathElement } from '../field-set/path-element.ts';
import { elementsOf } from './list-element.ts';
import { memberSchema, type ShapedSchema, shapeOf } from './schema-of.ts';

/** What differs between two values of one type. No path is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** From `left` to `right`. Values are equal as JSON: `1` and `"1"` differ. (structured-merge-diff typed/compare.go) */
export function compareTyped(left: Json, right: Json, schema: MergeSchema): Comparison {
  const walk = new Walk();
  walk.compare(left, right, schema);
  return walk;
}

export function filterComparison(comparison: Comparison, filter: FieldFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { removed, modified, added } = comparison;
  return { removed: filter(removed), modified: filter(modified), added: filter(added) };
}

class Walk implements Comparison {
  readonly removed = new FieldSet();
  readonly modified = new FieldSet();
  readonly added = new FieldSet();
  readonly #path: PathElement[] = [];

  /** Undefined is absence; not for both. */
  compare(left: Json | undefined, right: Json | undefined, schema: MergeSchema): void {
    const leftShape = shapeOf(schema, left);
    const rightShape = shapeOf(schema, right);
    let leaf: boolean;
    if (right === undefined) leaf = this.#compareAs(leftShape, left, right);
    else {
      // of a value that changed its shape both sides are looked at as they are
      if (left !== undefined && leftShape.kind !== rightShape.kind) this.#compareAs(leftShape, left, right);
      leaf = this.#compareAs(rightShape, left, right);
    }
    if (leaf) return;
    if (left === undefined) this.added.insert(this.#path);
    else if (right === undefined) this.removed.insert(this.#path);
  }

  /** True: the value was compared as a whole. */
  #compareAs(shape: ShapedSchema, left: Json | undefined, right: Json | undefined): boolean {
    if (shape.kind === 'scalar') return this.#compareWhole(left, right);
    if (shape.kind === 'list') {
      const before = Array.isArray(left) ? left : [];
      const after = Array.isArray(right) ? right : [];
      if (shape.listType === 'atomic' || (before.length === 0 && after.length === 0)) {
        return this.#compareWhole(left, right);
      }
      this.#compareItems(before, after, shape);
      return false;
    }
    const before = isJsonObject(left) ? left : noMembers;
    const after = isJsonObject(right) ? right : noMembers;
    if (shape.mapType === 'atomic' || (isEmpty(before) && isEmpty(after))) return this.#compareWhole(left, right);
    this.#compareMembers(before, after, shape);
    return false;
  }

  #compareWhole(left: Json | undefined, right: Json | undefined): true {
    if (left === undefined) this.added.insert(this.#path);
    else if (right === undefined) this.removed.insert(this.#path);
    else if (!equalJson(left, right)) this.modified.insert(this.#path);
    return true;
  }

  #compareMembers(before: JsonObject, after: JsonObject, schema: StructMerge | MapMerge): void {
    for (const name of Object.keys(before)) {
      const left = before[name];
      const right = Object.hasOwn(after, name) ? after[name] : undefined;
      if (left === right || (left === undefined && right === undefined)) continue;
      this.#step(fieldElement(name), left, right, memberSchema(schema, name));
    }
    for (const name of Object.keys(after)) {
      if (after[name] === undefined || (Object.hasOwn(before, name) && before[name] !== undefined)) continue;
      this.#step(fieldElement(name), undefined, after[name], memberSchema(schema, name));
    }
  }

  #step(element: PathElement, left: Json | undefined, right: Json | undefined, schema: MergeSchema): void {
    this.#path.push(element);
    this.compare(left, right, schema);
    this.#path.pop();
  }

  #compareItems(before: readonly Json[], after: readonly Json[], list: ListMerge): void {
    const lefts = byElement(before, list);
    const rights = byElement(after, list);
    const items = list.items();
    for (const [element, left] of lefts) this.#compareItem(element, left, rights.get(element) ?? [], items);
    for (const [element, right] of rights) if (!lefts.has(element)) this.#compareItem(element, [], right, items);
  }

  /** Items of one name are compared as a whole; a name that is no longer repeated is an item that comes new. */
  #compareItem(element: PathElement, left: readonly Json[], right: readonly Json[], items: MergeSchema): void {
    if (left.length <= 1 && right.length <= 1) {
      if (left[0] !== right[0] || left.length !== right.length) this.#step(element, left[0], right[0], items);
    } else if (left.length >= 2 && right.length >= 2) {
      const same = left.length === right.length && left.every((item, i) => equalJson(item, right[i]));
      if (!same) this.modified.insert([...this.#path, element]);
    } else if (left.length >= 2) {
      if (right.length === 1) this.#step(element, undefined, right[0], items);
      this.removed.insert([...this.#path, element]);
    } else {
      if (left.length === 1) this.#step(element, left[0], undefined, items);
      this.added.insert([...this.#path, element]);
    }
  }
}

const noMembers: JsonObject = {};

function isEmpty(value: JsonObject): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

function byElement(items: readonly Json[], list: ListMerge): Map<PathElement, Json[]> {
  const found = new Map<PathElement, Json[]>();
  for (const [index, element] of elementsOf(list, items).entries()) {
    if (element === undefined) continue;
    const same = found.get(element);
    if (same) same.push(items[index]);
    else found.set(element, [items[index]]);
  }
  return found;
}
