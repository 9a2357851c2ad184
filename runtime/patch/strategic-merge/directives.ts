import { isJsonObject, setMember } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { badDeleteList, badElementOrder } from './errors.ts';

/** What a patch may say beside values. (apimachinery pkg/util/strategicpatch/patch.go) */
export const patchDirective = '$patch';
export const retainKeysDirective = '$retainKeys';
export const deleteListPrefix = '$deleteFromPrimitiveList';
export const elementOrderPrefix = '$setElementOrder';

/** The field that `$setElementOrder/field` or `$deleteFromPrimitiveList/field` is about. */
export function fieldOfDirective(name: string, prefix: typeof deleteListPrefix | typeof elementOrderPrefix): string {
  if (name.startsWith(`${prefix}/`)) return name.slice(prefix.length + 1);
  throw prefix === deleteListPrefix ? badDeleteList() : badElementOrder();
}

/**
 * A value of the patch as it goes where nothing was before: without null members, and without objects that are
 * directives. Undefined when the value itself is one.
 */
export function newValue(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(newValue).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key] === null ? undefined : newValue(value[key]);
    if (member !== undefined) setMember(result, key, member);
  }
  return result;
}
