import { spend } from '../../machinery/event-loop/budget.ts';
import type { JsonObject } from '../../machinery/object.ts';

const minCachedSize = 32;
let cache = new WeakMap<JsonObject, readonly string[]>();
let used = false;

/**
 * Returns the member names of a JSON object. Caches those of large objects, since rules may need them for each list
 * item.
 */
export function memberNames(json: JsonObject): readonly string[] {
  const cached = used ? cache.get(json) : undefined;
  if (cached) return cached;
  const names = Object.keys(json);
  if (names.length < minCachedSize) return names;
  spend(names.length * 0.05);
  cache.set(json, names);
  used = true;
  return names;
}

/** Clears the cache between evaluations, because objects may change. */
export function clearMemberNames(): void {
  if (!used) return;
  cache = new WeakMap();
  used = false;
}
