import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { badDeleteList, badElementOrder } from './errors.ts';

// directives in a patch (apimachinery pkg/util/strategicpatch/patch.go)
export const patchDirective = '$patch';
export const retainKeysDirective = '$retainKeys';
export const deleteListPrefix = '$deleteFromPrimitiveList';
export const elementOrderPrefix = '$setElementOrder';

/** Returns the field of `$setElementOrder/field` or `$deleteFromPrimitiveList/field`. */
export function fieldOfDirective(name: string, prefix: typeof deleteListPrefix | typeof elementOrderPrefix): string {
  if (name.startsWith(`${prefix}/`)) return name.slice(prefix.length + 1);
  throw prefix === deleteListPrefix ? badDeleteList() : badElementOrder();
}

/**
 * Removes null members and directives from a patch value without a live counterpart. Returns undefined for a directive.
 * (removeDirectives)
 */
export function removeDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(removeDirectives).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const result: JsonObject = {};
  for (const [key, before] of Object.entries(value)) {
    const member = before === null ? undefined : removeDirectives(before);
    if (member !== undefined) setMember(result, key, member);
  }
  return result;
}
