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
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { formatGoValue } from '../../patch/go-value.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import { isPatchError } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { pruneToType } from '../decode-body.ts';
import { addStrictDecodingWarnings } from '../decode-errors.ts';
import type { ResourceRequest } from '../resource-request.ts';
import type { ContentPatch } from './decode-patch.ts';

/** Applies a patch to an object, and prunes the result like a body. @throws StatusError 400, 413, 422, 500 */
export function applyPatch(
  { ctx, definition }: ResourceRequest,
  current: KubeObject,
  patch: ContentPatch,
  validation: FieldValidation,
): KubeObject {
  const patched = patchJson(definition, unstructuredContent(current), patch);
  try {
    const { object, unknown } = pruneToType(definition.type, patched, validation !== 'Ignore');
    const errors = [...patch.strictErrors, ...unknown];
    if (validation === 'Warn') addStrictDecodingWarnings(ctx, errors);
    if (validation === 'Strict' && errors.length > 0) {
      throw invalidPatch(patch, patched, `strict decoding error: ${errors.join(', ')}`);
    }
    return object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw invalidPatch(patch, patched, error.message);
  }
}

/** The whole error for a patch that cannot be applied to its object. (NewGenericServerResponse) */
const rejected = 'the server rejected our request due to an error in our request';

/**
 * A 422 about no particular object, as upstream. It shows the patched object for the two JSON patches, and the patch for the
 * strategic one.
 */
function invalidPatch(patch: ContentPatch, patched: Json, reason: string): StatusError {
  const value = patch.kind === 'strategic' ? formatGoValue(patch.value) : stringifyRawJson(sortedMembers(patched));
  const shown = excerpt(value, 2 * maxExcerptLength);
  return invalid({ group: '', kind: '' }, '', [
    invalidField(FieldPath.of('patch'), shown, excerpt(reason, maxDetailLength)),
  ]);
}

function sortedMembers(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function patchJson(definition: ResourceDefinition, current: JsonObject, patch: ContentPatch): Json {
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
