import { spend } from '../../machinery/event-loop/budget.ts';
import type { JsonObject } from '../../machinery/object.ts';

const many = 32;
let lists = new WeakMap<JsonObject, readonly string[]>();
let used = false;

/** The names of a JSON object's members. Large objects are listed once: expressions ask again for each item of a list. */
export function memberNames(json: JsonObject): readonly string[] {
  const known = used ? lists.get(json) : undefined;
  if (known) return known;
  const names = Object.keys(json);
  if (names.length < many) return names;
  spend(names.length * 0.05);
  lists.set(json, names);
  used = true;
  return names;
}

/** Lets go of what was listed; objects may change between evaluations. */
export function clearMemberNames(): void {
  if (!used) return;
  lists = new WeakMap();
  used = false;
}
