import { equalAsFloats, equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import type { ListMerge, MapMerge, MergeSchema, StructMerge } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldSetFilter } from '../fieldpath/filter.ts';
import { fieldElement, type PathElement } from '../fieldpath/path-element.ts';
import { type Atom, memberSchema, resolveAtom } from './atom.ts';
import { pathElementOf } from './list-item.ts';

/** The difference between two values of one type. The sets are disjoint. (typed.Comparison) */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/**
 * Compares two values. Scalars are equal if their JSON is equal: `1` and `"1"` differ. (structured-merge-diff
 * typed/compare.go)
 */
export function compareTyped(left: Json, right: Json, schema: MergeSchema): Comparison {
  const walker = new CompareWalker();
  walker.compare(left, right, schema);
  return walker;
}

export function filterComparison(comparison: Comparison, filter: FieldSetFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { removed, modified, added } = comparison;
  return { removed: filter(removed), modified: filter(modified), added: filter(added) };
}

class CompareWalker implements Comparison {
  readonly removed = new FieldSet();
  readonly modified = new FieldSet();
  readonly added = new FieldSet();
  readonly #path: PathElement[] = [];

  /** At most one value may be undefined, if absent. */
  compare(left: Json | undefined, right: Json | undefined, schema: MergeSchema): void {
    const leftAtom = resolveAtom(schema, left);
    const rightAtom = resolveAtom(schema, right);
    let leaf: boolean;
    if (right === undefined) leaf = this.#compareAs(leftAtom, left, right);
    else {
      // if the type changed, each side is compared with its own atom
      if (left !== undefined && leftAtom.kind !== rightAtom.kind) this.#compareAs(leftAtom, left, right);
      leaf = this.#compareAs(rightAtom, left, right);
    }
    if (leaf) return;
    if (left === undefined) this.added.insert(this.#path);
    else if (right === undefined) this.removed.insert(this.#path);
  }

  /** Returns true if the value was compared as a whole. */
  #compareAs(atom: Atom, left: Json | undefined, right: Json | undefined): boolean {
    if (atom.kind === 'scalar') return this.#compareWhole(left, right);
    if (atom.kind === 'list') {
      const before = Array.isArray(left) ? left : [];
      const after = Array.isArray(right) ? right : [];
      if (atom.listType === 'atomic' || (before.length === 0 && after.length === 0)) {
        return this.#compareWhole(left, right);
      }
      this.#compareItems(before, after, atom);
      return false;
    }
    const before = isJsonObject(left) ? left : noMembers;
    const after = isJsonObject(right) ? right : noMembers;
    if (atom.mapType === 'atomic' || (isEmpty(before) && isEmpty(after))) return this.#compareWhole(left, right);
    this.#compareMembers(before, after, atom);
    return false;
  }

  #compareWhole(left: Json | undefined, right: Json | undefined): true {
    if (left === undefined) this.added.insert(this.#path);
    else if (right === undefined) this.removed.insert(this.#path);
    else if (!equalAsFloats(left, right)) this.modified.insert(this.#path);
    return true;
  }

  #compareMembers(before: JsonObject, after: JsonObject, schema: StructMerge | MapMerge): void {
    // a write seldom changes more than one member of an object, and equality of the others is quicker to see
    const isRoot = this.#path.length === 0;
    for (const name of Object.keys(before)) {
      const left = before[name];
      const right = Object.hasOwn(after, name) ? after[name] : undefined;
      if (left === right || (isRoot && equalJson(left, right))) continue;
      this.#compareMember(fieldElement(name), left, right, memberSchema(schema, name));
    }
    for (const name of Object.keys(after)) {
      if (after[name] === undefined || (Object.hasOwn(before, name) && before[name] !== undefined)) continue;
      this.#compareMember(fieldElement(name), undefined, after[name], memberSchema(schema, name));
    }
  }

  #compareMember(element: PathElement, left: Json | undefined, right: Json | undefined, schema: MergeSchema): void {
    this.#path.push(element);
    this.compare(left, right, schema);
    this.#path.pop();
  }

  #compareItems(before: readonly Json[], after: readonly Json[], list: ListMerge): void {
    const leftItems = groupByElement(before, list);
    const rightItems = groupByElement(after, list);
    const items = list.items();
    for (const [element, left] of leftItems) this.#compareItem(element, left, rightItems.get(element) ?? [], items);
    for (const [element, right] of rightItems) if (!leftItems.has(element)) this.#compareItem(element, [], right, items);
  }

  /** Compares duplicate items as a whole. An item that stops being duplicate counts as added. */
  #compareItem(element: PathElement, left: readonly Json[], right: readonly Json[], items: MergeSchema): void {
    if (left.length <= 1 && right.length <= 1) {
      if (left[0] !== right[0] || left.length !== right.length) this.#compareMember(element, left[0], right[0], items);
    } else if (left.length >= 2 && right.length >= 2) {
      const isEqual = left.length === right.length && left.every((item, i) => equalAsFloats(item, right[i]));
      if (!isEqual) this.modified.insert([...this.#path, element]);
    } else if (left.length >= 2) {
      if (right.length === 1) this.#compareMember(element, undefined, right[0], items);
      this.removed.insert([...this.#path, element]);
    } else {
      if (left.length === 1) this.#compareMember(element, left[0], undefined, items);
      this.added.insert([...this.#path, element]);
    }
  }
}

const noMembers: JsonObject = {};

function isEmpty(value: JsonObject): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

function groupByElement(items: readonly Json[], list: ListMerge): Map<PathElement, Json[]> {
  const groups = new Map<PathElement, Json[]>();
  for (const item of items) {
    const element = pathElementOf(list, item);
    if (element === undefined) continue;
    const group = groups.get(element);
    if (group) group.push(item);
    else groups.set(element, [item]);
  }
  return groups;
}
