import { cloneJson } from '../json/clone.ts';
import { memberOf } from '../json/values.ts';

/**
 * Empty lists and maps, and Go's zero time, that pruning drops: `{ requests: [] }` is pruned to `{}`. Upstream's objects
 * still have them until they are stored, so messages show `[]`, and not `null`.
 */
const dropped = new WeakMap<object, Map<string, unknown>>();

/** Remembers a member that pruning dropped. */
export function rememberDropped(object: object, name: string, value: unknown): void {
  let members = dropped.get(object);
  if (members === undefined) {
    members = new Map();
    dropped.set(object, members);
  }
  members.set(name, value);
}

/** Returns the value that pruning dropped from an object as a member; undefined if it dropped none. */
export const droppedMember = (object: object, name: string): unknown => dropped.get(object)?.get(name);

/** Returns a member of an object, or the value that pruning dropped. Null counts as absent. */
export const memberOrDropped = (object: object, name: string): unknown => memberOf(object, name) ?? droppedMember(object, name);

/** Gives a shallow copy of an object the dropped members of the original. Returns the copy. */
export function withDropped<T extends object>(copy: T, original: object): T {
  for (const [name, value] of dropped.get(original) ?? []) rememberDropped(copy, name, value);
  return copy;
}

/** Forgets a dropped member, because the server drops the field itself. */
export function forgetDropped(object: object, name: string): void {
  dropped.get(object)?.delete(name);
}

/** Objects from which the server dropped a field of a disabled gate. */
const disabled = new WeakSet<object>();

/** Forgets a member, and remembers that the server dropped a field of a disabled gate. */
export function rememberDisabled(object: object, name: string): void {
  forgetDropped(object, name);
  disabled.add(object);
}

/** Reports whether the server dropped a field of a disabled gate from an object. */
export const hadDisabled = (object: object): boolean => disabled.has(object);

/** Gives a deep copy of an object, at every depth, the dropped members of the original. */
export function carryDropped(original: unknown, copy: unknown): void {
  if (typeof original !== 'object' || typeof copy !== 'object' || original === null || copy === null) return;
  withDropped(copy, original);
  for (const [name, value] of Object.entries(original)) {
    if (typeof value === 'object' && value !== null) carryDropped(value, Reflect.get(copy, name));
  }
}

/** Returns a deep copy of an object, with the dropped members at every depth. */
export function cloneWithDropped<T>(object: T): T {
  const copy = cloneJson(object);
  carryDropped(object, copy);
  return copy;
}

/** Reports whether pruning dropped a member, at any depth, that has got no other value since. */
export function hasDropped(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = [...(dropped.get(value)?.keys() ?? [])];
  return names.some((name) => memberOf(value, name) === undefined) || Object.values(value).some(hasDropped);
}
