import { kindParseError } from '../../codec/type-meta.ts';
import type { ApiContext } from '../../http/context.ts';
import type { FieldValidation } from '../../http/options/write-options.ts';
import { DecodeError, isDecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, invalid, plainError, requestEntityTooLarge, type StatusError, unprocessable } from '../../machinery/errors/status.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { formatGoValue } from '../../machinery/go/format.ts';
import { parseGroupVersion } from '../../machinery/gvk.ts';
import { stableText } from '../../machinery/json/equality.ts';
import { htmlSafe } from '../../machinery/json/html-safe.ts';
import { stringifyRawJson } from '../../machinery/json/raw-json.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import { maxDetailLength, maxExcerptLength } from '../../machinery/limits.ts';
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import { invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { applyMergePatch, withoutNulls } from '../../patch/merge-patch.ts';
import { isPatchError } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { checkWork, keepManagedFieldsReset, kindMismatch, missingKind, pruneToType } from '../decode-body.ts';
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
  checkWork(ctx, patched);
  try {
    if (definition.type.unstructured) requireKind(patched);
    else if (patch.kind !== 'strategic') checkKind(ctx, definition.type, patched);
    const converts = patch.kind === 'strategic';
    const options = { collectUnknown: validation !== 'Ignore', converts };
    const { object, unknown: found } = pruneToType(definition.type, patched, options);
    // Go decodes an object without a version into one that is thrown away
    const isLost = patch.kind !== 'strategic' && !definition.type.unstructured && isJsonObject(patched) && !patched.apiVersion;
    const unknown = isLost && validation !== 'Ignore' ? unknownMembers(patched) : found;
    const errors = [...patch.strictErrors, ...(converts ? [...unknown].sort(compareStrings) : unknown)];
    if (validation === 'Warn') addStrictDecodingWarnings(ctx, errors);
    if (validation === 'Strict' && errors.length > 0) {
      throw invalidPatch(definition.type, patch, patched, `strict decoding error: ${errors.join(', ')}`);
    }
    if (!definition.type.unstructured) keepManagedFieldsReset(patched, object);
    return isLost ? { ...object, metadata: {} } : object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw invalidPatch(definition.type, patch, inGoOrder(definition, current, patch) ?? patched, error.message);
  }
}

const unknownMembers = (patched: JsonObject): string[] =>
  Object.keys(patched)
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .sort()
    .map((name) => `unknown field ${JSON.stringify(name)}`);

/** What is patched, with the members of Go types in their order there, as messages show it; undefined if it fails. */
function inGoOrder(definition: ResourceDefinition, current: KubeObject, patch: ContentPatch): Json | undefined {
  const { type } = definition;
  if (type.unstructured || patch.kind === 'strategic') return undefined;
  try {
    const { apiVersion, kind } = current;
    return patchJson(definition, unstructuredContent({ ...type.prune(current, new PruneContext()), apiVersion, kind }), patch);
  } catch {
    return undefined;
  }
}

/** The whole error for a patch that cannot be applied to its object. (NewGenericServerResponse) */
const rejected = 'the server rejected our request due to an error in our request';

/**
 * A 422 about no particular object, as upstream. It shows the patched object for the two JSON patches, and the patch for the
 * strategic one.
 */
function invalidPatch(type: TypeDefinition, patch: ContentPatch, patched: Json, reason: string): StatusError {
  const json = (): string => (type.unstructured ? htmlSafe(stableText(patched)) : stringifyRawJson(sortedMembers(patched)));
  const value = patch.kind === 'strategic' ? formatGoValue(patch.value) : json();
  const shown = excerpt(value, 2 * maxExcerptLength);
  return invalid({ group: '', kind: '' }, '', [invalidField(FieldPath.of('patch'), shown, excerpt(reason, maxDetailLength))]);
}

/** A patch may take away the kind, which no Go type implies. @throws DecodeError */
function requireKind(patched: Json): void {
  if (!isJsonObject(patched)) return;
  const { kind, apiVersion } = patched;
  if (typeof apiVersion === 'string' && parseGroupVersion(apiVersion) === undefined) {
    throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (kind === undefined || kind === null || kind === '') {
    throw new DecodeError(missingKind(Buffer.from(htmlSafe(stableText(patched)))));
  }
}

/** A patch may make an object of a Go type another one. @throws DecodeError */
function checkKind({ state }: ApiContext, type: TypeDefinition, patched: Json): void {
  if (!isJsonObject(patched)) return;
  const { apiVersion, kind } = patched;
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (typeof text === 'string' || text == null) continue;
    throw new DecodeError(`${kindParseError}json: cannot unmarshal ${jsonTypeOf(text)} into Go struct field .${field} of type string`);
  }
  if (typeof apiVersion === 'string' && parseGroupVersion(apiVersion) === undefined) {
    throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  const reason = kindMismatch(type, apiVersion, kind, state.recognizesKind)?.reason;
  if (reason !== undefined) throw new DecodeError(reason);
}

/** As json-patch writes an object of a Go type: it has read only the first level, into a map. */
function sortedMembers(value: Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function patchJson(definition: ResourceDefinition, current: JsonObject, patch: ContentPatch): Json {
  try {
    switch (patch.kind) {
      case 'json':
        return applyJsonPatch(current, patch.operations, patch.textsOf, patch.strict);
      case 'merge':
        return Array.isArray(patch.value) ? withoutNulls(patch.value) : applyMergePatch(current, patch.value);
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
