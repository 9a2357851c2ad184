import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { firstFailing } from './first-failing.ts';
import { pruneToType } from './prune-to-type.ts';

/** The errors of a larger document would take too long to order. In bytes. */
export const maxOrderedBytes = 32 * 1024;

/**
 * Returns the message of the first error in a document, as Go's decoder finds it, or undefined if the document has none.
 *
 * @param isSorted whether Go has sorted the members by name, as those of YAML
 */
export function firstErrorOf(type: TypeDefinition, value: Json, isSorted: boolean): string | undefined {
  const errorOf = (part: Json): string | undefined => {
    try {
      if (isJsonObject(part)) pruneToType(type, part, {});
    } catch (error) {
      if (isDecodeError(error)) return error.message;
    }
    return undefined;
  };
  return errorOf(firstFailing(value, (part) => errorOf(part) !== undefined, isSorted));
}
