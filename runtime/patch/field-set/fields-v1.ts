import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { type FieldNode, FieldSet } from './field-set.ts';
import { PathElementError, parseElement } from './path-element.ts';

/** What stands for a member without others below it: one object for all of them. */
const leaf: JsonObject = Object.freeze({});

// a set that no write touched is written as it was read
const written = new WeakMap<FieldSet, JsonObject>();

/** The JSON form: steps in their order, `.` for a member that has members below it. Not to be changed. */
export function toFieldsV1(set: FieldSet): JsonObject {
  let json = written.get(set);
  if (json === undefined) {
    json = emit(set, false);
    written.set(set, json);
  }
  return json;
}

function emit(set: FieldSet, self: boolean): JsonObject {
  const json: JsonObject = self ? { '.': leaf } : {};
  let before: FieldNode | undefined;
  let written = leaf;
  for (const element of set.sortedElements()) {
    const node = set.node(element) as FieldNode;
    // the items of a list have mostly the same fields
    if (node.member !== before?.member || node.children !== before.children) {
      written = node.children === undefined ? leaf : emit(node.children, node.member);
    }
    before = node;
    json[element] = written;
  }
  return json;
}

/** Steps of kinds that nobody knows yet are dropped. @throws PathElementError */
export function fromFieldsV1(json: Json | undefined): FieldSet {
  const set = new FieldSet();
  if (json !== undefined) readInto(set, json);
  return set;
}

/** Whether the field itself is a member. */
function readInto(set: FieldSet, json: Json): boolean {
  if (json === null) return true;
  if (!isJsonObject(json)) throw new PathElementError('expect { or n, but found something else');
  let member = false;
  for (const key of Object.keys(json)) {
    if (key === '.') {
      member = true;
      continue;
    }
    const element = parseElement(key);
    if (element === undefined) continue;
    const children = new FieldSet();
    const isMember = readInto(children, json[key]);
    set.put(element, isMember, children);
  }
  return member || set.isEmpty;
}
