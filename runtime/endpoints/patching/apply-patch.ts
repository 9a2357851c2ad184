import type { FieldValidation } from '../../http/query.ts';
import type { ApiContext } from '../../http/state.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import { isDecodeError } from '../../machinery/prune.ts';
import { quote } from '../../machinery/quote.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { badRequest, requestEntityTooLarge, unprocessable } from '../../machinery/status.ts';
import { applyJsonPatch, unknownJsonPatchFields } from '../../patch/json-patch.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { isPatchError } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { pruneChecked } from '../decode-body.ts';
import type { Edit } from './patch-of.ts';

/** The object with the patch applied, pruned as a body would be. @throws StatusError 400, 413, 422 */
export function applyPatch(
  ctx: ApiContext,
  definition: ResourceDefinition,
  current: KubeObject,
  patch: Edit,
  validation: FieldValidation,
): KubeObject {
  const repeated =
    patch.kind === 'json' ? [...patch.repeated, ...unknownJsonPatchFields(patch.operations)] : patch.repeated;
  const patched = patchJson(definition, current as unknown as JsonObject, patch);
  try {
    return pruneChecked(ctx, definition.type, patched, validation, repeated);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    const { kind, version } = definition;
    throw badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${kind}: ${error.message}`);
  }
}

function patchJson(definition: ResourceDefinition, current: JsonObject, patch: Edit): Json {
  try {
    switch (patch.kind) {
      case 'json':
        return applyJsonPatch(current, patch.operations);
      case 'merge':
        return applyMergePatch(current, patch.value);
      case 'strategic':
        return applyStrategicMergePatch(current, patch.value, definition.type.merge);
    }
  } catch (error) {
    if (!isPatchError(error)) throw error;
    if (error.kind === 'too-large') throw requestEntityTooLarge(error.message);
    if (error.kind === 'unprocessable') throw unprocessable({ group: '', resource: '' }, '', error.message);
    throw badRequest(error.message);
  }
}
