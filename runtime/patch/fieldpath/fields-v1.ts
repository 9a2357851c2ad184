import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { type FieldNode, FieldSet } from './field-set.ts';
import { deserializePathElement, PathElementError } from './path-element.ts';

/** A member without children, shared by all of them. */
const leaf: JsonObject = Object.freeze({});

// a set that a write does not change is encoded once
const encoded = new WeakMap<FieldSet, JsonObject>();

/**
 * Encodes a set as FieldsV1: path elements in order, and `.` for a member that has children. The result must not be
 * changed. (structured-merge-diff fieldpath/serialize.go)
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
 * Decodes FieldsV1. Ignores path elements of unknown types.
 *
 * @throws PathElementError
 */
export function fromFieldsV1(json: Json | undefined): FieldSet {
  const set = new FieldSet();
  if (json !== undefined) decodeInto(set, json);
  return set;
}

/** Returns whether the field itself is a member. */
function decodeInto(set: FieldSet, json: Json): boolean {
  if (json === null) return true;
  if (!isJsonObject(json)) throw new PathElementError('expect { or n, but found something else');
  let member = false;
  for (const key of Object.keys(json)) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = deserializePathElement(key);
    if (element === undefined) continue;
    const children = new FieldSet();
    const isMember = decodeInto(children, json[key]);
    set.put(element, isMember, children);
  }
  return member || set.isEmpty;
}
