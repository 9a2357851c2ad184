import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { type FieldNode, FieldSet } from './field-set.ts';
import { comparePathElements, deserializePathElement, type PathElement, PathElementError } from './path-element.ts';

/** A member without children, shared by all of them. */
const leaf: JsonObject = Object.freeze({});

// a set that a write does not change is encoded at most once, and never if it was decoded
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Encodes a set as FieldsV1: sorted path elements, and `.` for a member with children. The result must not be changed.
 * (structured-merge-diff fieldpath/serialize.go)
 */
export function toFieldsV1(set: FieldSet): JsonObject {
  let json = encoded.get(set);
  if (json === undefined) {
    json = encode(set, false);
    encoded.set(set, json);
  }
  return json;
}

function encode(set: FieldSet, isMember: boolean): JsonObject {
  const json: JsonObject = isMember ? { '.': leaf } : {};
  let previousNode: FieldNode | undefined;
  let previousJson = leaf;
  for (const element of set.sortedElements()) {
    const node = set.node(element) as FieldNode;
    // most items of a list have the same fields
    if (node.member !== previousNode?.member || node.children !== previousNode.children) {
      previousJson = node.children === undefined ? leaf : encode(node.children, node.member);
    }
    previousNode = node;
    json[element] = previousJson;
  }
  return json;
}

/**
 * Decodes FieldsV1, which must not change afterwards. Ignores path elements of unknown types.
 *
 * @throws PathElementError
 */
export function fromFieldsV1(json: Json | undefined): FieldSet {
  const set = new FieldSet();
  if (json === undefined) return set;
  const reader = new Reader();
  reader.read(set, json, false);
  if (reader.isCanonical && isJsonObject(json)) encoded.set(set, json);
  return set;
}

/** Decodes FieldsV1, and records whether `encode` would write the same. */
class Reader {
  isCanonical = true;

  /** Returns whether the field itself is a member. */
  read(set: FieldSet, json: Json, isField = true): boolean {
    if (json === null) {
      this.isCanonical = false;
      return true;
    }
    if (!isJsonObject(json)) throw new PathElementError('expect { or n, but found something else');
    let member = false;
    let previous: PathElement | undefined;
    for (const key of Object.keys(json)) {
      if (key === '.') {
        member = true;
        this.#require(isField && previous === undefined && isEmptyObject(json[key] ?? null));
        continue;
      }
      const element = deserializePathElement(key);
      this.#require(element === key && (previous === undefined || comparePathElements(previous, element) < 0));
      if (element === undefined) continue;
      previous = element;
      const children = new FieldSet();
      const isMember = this.read(children, json[key] ?? null);
      set.put(element, isMember, children);
    }
    this.#require(!member || previous !== undefined);
    return member || set.isEmpty;
  }

  #require(isAsWritten: boolean): void {
    if (!isAsWritten) this.isCanonical = false;
  }
}

function isEmptyObject(json: Json): boolean {
  return isJsonObject(json) && Object.keys(json).length === 0;
}
