import type { CelValue } from '../../../../cel/expression.ts';
import { nativeJson } from '../../../../cel/mutation/native-json.ts';
import { ObjectValue } from '../../../../cel/mutation/object-value.ts';
import { isDecodeError } from '../../../../machinery/errors/decode-error.ts';
import { defined } from '../../../../machinery/json/defined.ts';
import { ObjectGrowth } from '../../../../machinery/json/object-growth.ts';
import { isJsonObject } from '../../../../machinery/json/values.ts';
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../../../machinery/object.ts';
import { PruneContext } from '../../../../machinery/prune/context.ts';
import type { TypeDefinition } from '../../../../machinery/resource.ts';
import { mergeTyped } from '../../../../patch/typed/merge.ts';
import { type ValidationOptions, validateTyped } from '../../../../patch/typed/validate.ts';
import { isValidationErrors } from '../../../../patch/typed/validation-errors.ts';
import { findAtomics } from './find-atomics.ts';
import { PatchFailure } from './patch-failure.ts';

/**
 * Merges an apply configuration into a copy of an object. The fields get no manager. (policy/mutating/patch
 * applyConfigPatcher)
 *
 * @param groupVersion of the resource, whose OpenAPI document has the types that can be merged: not Scale, nor Eviction
 * @throws PatchFailure
 */
export function applyConfiguration(value: CelValue, object: KubeObject, type: TypeDefinition, groupVersion: string): KubeObject {
  if (!(value instanceof ObjectValue)) throw new PatchFailure('unsupported return type from ApplyConfiguration expression');
  const problems = value.typeProblems();
  if (problems.length > 0) throw new PatchFailure(`type mismatch: ${problems.join('\n')}`);
  const { apiVersion, kind } = unstructuredContent(object);
  const configuration: JsonObject = { ...(nativeJson(value, new ObjectGrowth()) as JsonObject), ...defined({ apiVersion, kind }) };
  if (apiVersion !== groupVersion) {
    const problem = `no corresponding type for ${apiVersion}, Kind=${kind}`;
    throw new PatchFailure(`error applying patch: failed to convert patch object to typed object: ${problem}`);
  }
  requireTyped(configuration, type, 'patch object');
  const atomics = findAtomics(configuration, type.merge);
  if (atomics.length > 0) {
    const problem = `may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`;
    throw new PatchFailure(`error applying patch: invalid ApplyConfiguration: ${problem}`);
  }
  const live = unstructuredContent(object);
  requireTyped(live, type, 'original object', { allowDuplicates: true });
  return converted(mergeTyped(live, configuration, type.merge) ?? null, type);
}

function requireTyped(value: Json, { merge }: TypeDefinition, what: string, options?: ValidationOptions): void {
  try {
    validateTyped(value, merge, options);
  } catch (error) {
    if (!isValidationErrors(error)) throw error;
    throw new PatchFailure(`error applying patch: failed to convert ${what} to typed object: ${error.message}`);
  }
}

/** Returns a new object without fields that the type lacks. */
function converted(merged: Json, type: TypeDefinition): KubeObject {
  if (!isJsonObject(merged)) throw new PatchFailure('error applying patch: failed to convert typed object to object');
  try {
    return { ...kindOf(merged), ...type.prune(merged, new PruneContext({ converts: true })) };
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new PatchFailure(error.message);
  }
}

const kindOf = ({ kind, apiVersion }: JsonObject): Pick<KubeObject, 'kind' | 'apiVersion'> => ({
  kind: String(kind),
  apiVersion: String(apiVersion),
});
