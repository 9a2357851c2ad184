import type { ApiContext } from '../../http/context.ts';
import type { FieldValidation } from '../../http/options/write-options.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import {
  badRequest,
  invalid,
  plainError,
  requestEntityTooLarge,
  type StatusError,
  unprocessable,
} from '../../machinery/errors/status.ts';
import { stringifyRawJson } from '../../machinery/json/raw-json.ts';
import { maxDetailLength, maxExcerptLength } from '../../machinery/limits.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { isPatchError } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { plainGoValue } from '../../patch/typed/go-value.ts';
import { prunedAs } from '../decode-body.ts';
import { warnOfProblems } from '../strict-warnings.ts';
import type { Edit } from './decode-patch.ts';

/** The object with the patch applied, pruned as a body would be. @throws StatusError 400, 413, 422, 500 */
export function applyPatch(
  ctx: ApiContext,
  definition: ResourceDefinition,
  current: KubeObject,
  patch: Edit,
  validation: FieldValidation,
): KubeObject {
  const patched = patchJson(definition, current as unknown as JsonObject, patch);
  try {
    const { object, unknown } = prunedAs(definition.type, patched, validation !== 'Ignore');
    const problems = [...patch.problems, ...unknown];
    if (validation === 'Warn') warnOfProblems(ctx, problems);
    if (validation === 'Strict' && problems.length > 0) {
      throw refused(patch, patched, `strict decoding error: ${problems.join(', ')}`);
    }
    return object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw refused(patch, patched, error.message);
  }
}

/** All that a client is told of a patch that does not fit its object. (NewGenericServerResponse) */
const rejected = 'the server rejected our request due to an error in our request';

/** 422 of nothing in particular: of the object for the two JSON patches, of the patch for the strategic one. */
function refused(patch: Edit, patched: Json, why: string): StatusError {
  const value = patch.kind === 'strategic' ? plainGoValue(patch.value) : stringifyRawJson(sortedMembers(patched));
  const shown = excerpt(value, 2 * maxExcerptLength);
  return invalid({ group: '', kind: '' }, '', [
    invalidField(FieldPath.of('patch'), shown, excerpt(why, maxDetailLength)),
  ]);
}

function sortedMembers(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
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
    switch (error.kind) {
      case 'too-large':
        throw requestEntityTooLarge(error.message);
      case 'unprocessable':
        throw unprocessable({ group: '', resource: '' }, '', rejected);
      case 'malformed':
        throw badRequest(error.message);
      case 'internal':
        throw plainError(error.message);
    }
  }
}
