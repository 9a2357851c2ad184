import type { CelValue } from '../../../../cel/expression.ts';
import { JsonPatchValue } from '../../../../cel/mutation/json-patch-value.ts';
import { isNotJson, nativeJson } from '../../../../cel/mutation/native-json.ts';
import { ObjectValue } from '../../../../cel/mutation/object-value.ts';
import { elements } from '../../../../cel/values/list.ts';
import { isTagged } from '../../../../cel/values/value.ts';
import { isDecodeError } from '../../../../machinery/errors/decode-error.ts';
import { internalError } from '../../../../machinery/errors/status.ts';
import { defined } from '../../../../machinery/json/defined.ts';
import { ObjectGrowth } from '../../../../machinery/json/object-growth.ts';
import { isJsonObject } from '../../../../machinery/json/values.ts';
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../../../machinery/object.ts';
import { PruneContext } from '../../../../machinery/prune/context.ts';
import type { TypeDefinition } from '../../../../machinery/resource.ts';
import { applyJsonPatch } from '../../../../patch/json-patch.ts';
import { isPatchError } from '../../../../patch/patch-error.ts';
import { PatchFailure } from './patch-failure.ts';

/**
 * Applies a list of JSON patch operations to a copy of an object. A failed `test` leaves the object unchanged.
 * (policy/mutating/patch jsonPatcher)
 *
 * @throws PatchFailure
 * @throws StatusError 500 if the result is not of the object's type
 */
export function applyOperations(value: CelValue, object: KubeObject, type: TypeDefinition): KubeObject {
  const operations = operationsOf(value);
  let patched: Json;
  try {
    patched = applyJsonPatch(unstructuredContent(object), operations);
  } catch (error) {
    if (!isPatchError(error)) throw error;
    if (error.message.endsWith('test failed')) return object;
    throw new PatchFailure(`JSON Patch: ${error.message}`);
  }
  return decoded(patched, object, type);
}

function operationsOf(list: CelValue): JsonObject[] {
  const mismatch = 'type mismatch: JSONPatchType.expression should evaluate to array';
  if (!isTagged(list, 'list')) throw new PatchFailure(mismatch);
  const growth = new ObjectGrowth();
  return Array.from(elements(list), (operation) => {
    if (!(operation instanceof JsonPatchValue)) throw new PatchFailure(`${mismatch} of JSONPatch`);
    const { op, path, from, value } = operation;
    return { op, path, ...(from !== '' && { from }), ...(value !== undefined && { value: patchValue(value, growth) }) };
  });
}

function patchValue(value: CelValue, growth: ObjectGrowth): Json {
  const problems = value instanceof ObjectValue ? value.typeProblems() : [];
  if (problems.length > 0) throw new PatchFailure(`type mismatch: ${problems.join('\n')}`);
  try {
    return nativeJson(value, growth);
  } catch (error) {
    if (!isNotJson(error)) throw error;
    const problem = `evaluated to a type that could not marshal to JSON: ${error.message}`;
    throw new PatchFailure(`JSONPath valueExpression ${problem}`);
  }
}

function decoded(patched: Json, before: KubeObject, type: TypeDefinition): KubeObject {
  const { kind, apiVersion } = before;
  if (!isJsonObject(patched) || patched.kind !== kind || patched.apiVersion !== apiVersion) {
    throw internalError(`a patch must not change the kind of the object, ${apiVersion}, Kind=${kind}`);
  }
  const context = new PruneContext({ collectUnknown: true });
  try {
    const object = { ...defined({ kind, apiVersion }), ...type.prune(patched, context) };
    if (context.strictErrors.length === 0 || type.unstructured) return object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw internalError(error.message);
  }
  throw internalError(`strict decoding error: ${context.strictErrors.join(', ')}`);
}
