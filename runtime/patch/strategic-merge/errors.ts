import { formatGoValue } from '../../machinery/go/format.ts';
import { goType } from '../../machinery/go/type.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { PatchError } from '../patch-error.ts';

/** The format of the patch is invalid: 400. (apimachinery pkg/util/mergepatch/errors.go) */
const malformed = (message: string): PatchError => new PatchError('malformed', message);
/** The patch does not match the object or its type: 500, as upstream. (interpretStrategicMergePatchError) */
const internal = (message: string): PatchError => new PatchError('internal', message);

export const badDeleteList = (): PatchError => malformed('invalid patch format of primitive list');
export const badRetainKeys = (): PatchError => malformed('invalid patch format of retainKeys');
export const badElementOrder = (): PatchError => malformed('invalid patch format of setElementOrder list');
export const listOfLists = (): PatchError => new PatchError('unprocessable', 'lists of lists are not supported');
export const mergeDirective = (): PatchError => internal('merging lists cannot yet be specified in the patch');
export const noElements = (): PatchError => internal('no elements in any of the given slices');
export const notAMap = (index: number): PatchError => internal(`value for key ${index} is not a map`);

export const noMergeKey = (item: JsonObject, key: string): PatchError =>
  internal(`map: ${formatGoValue(item)} does not contain declared merge key: ${key}`);

export const badDirective = (directive: Json, item: JsonObject): PatchError =>
  internal(`unknown patch type: ${formatGoValue(directive)} in map: ${formatGoValue(item)}`);

export const wrongArgument = (expected: 'map[string]interface {}' | '[]interface {}', actual: Json): PatchError =>
  internal(`expected a ${expected}, but received a ${typeText(actual)}`);

export const mixedElements = (...lists: readonly Json[][]): PatchError =>
  internal(`list element types are not identical: ${formatGoValue([...lists])}`);

export const wrongOrder = (patch: readonly Json[], order: readonly Json[]): PatchError =>
  internal(`The order in patch list:\n${formatGoValue([...patch])}\n doesn't match $setElementOrder list:\n${formatGoValue([...order])}\n`);

export const noFieldKey = (typeName: string): PatchError => internal(`cannot merge lists without merge key for ${typeName}`);

// the schema has no patch metadata for the field (apimachinery third_party/forked/golang/json/fields.go)
export const noField = (field: string): PatchError => internal(`unable to find api field in struct for the json field "${field}"`);
export const notAStruct = (kind: string): PatchError =>
  internal(`merging an object in json but data type is not struct, instead is: ${kind}`);
export const notASlice = (): PatchError => internal('expected slice or array type, but got: struct');
export const sliceOfSlice = (): PatchError => internal('unexpected slice of slice');

/** Formats the type of a value like Go's %s of a reflect.Type. */
export const typeText = (value: Json): string => (value === null ? '%!s(<nil>)' : goType(value));
