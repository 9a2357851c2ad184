import { kindParseError } from '../../codec/type-meta.ts';
import { DecodeError, isDecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import {
  badRequest,
  internalError,
  invalid,
  plainError,
  requestEntityTooLarge,
  type StatusError,
  unprocessable,
} from '../../machinery/errors/status.ts';
import { checkEventLoopObjects } from '../../machinery/event-loop/objects.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { formatGoValue } from '../../machinery/go/format.ts';
import { parseGroupVersion, type RecognizesKind } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
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
import type { FieldValidation } from '../../machinery/validation/field-validation.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { mergedOrder, patchedOrder } from '../../patch/member-order.ts';
import { applyMergePatch, withoutNulls } from '../../patch/merge-patch.ts';
import { isPatchError } from '../../patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { addStrictDecodingWarnings } from '../decoding/decode-errors.ts';
import { firstErrorOf, maxOrderedBytes } from '../decoding/first-error.ts';
import { keepManagedFieldsReset, kindMismatch, missingKind, pruneToType, withKind } from '../decoding/prune-to-type.ts';
import { checkIdentity } from '../identity.ts';
import type { Change, ChangeContext } from '../rest.ts';
import { ownFields } from '../write/managed-fields.ts';
import { type ContentPatch, decodeContentPatch, type PatchBody } from './decode-patch.ts';

/**
 * A change by a JSON patch, a merge patch or a strategic merge patch. (apiserver handlers/patch.go jsonPatcher,
 * smpPatcher)
 */
export class PatchedObject implements Change {
  readonly operation = 'Update';
  readonly #body: PatchBody;
  #validation: FieldValidation;

  constructor(body: PatchBody) {
    this.#body = body;
    this.#validation = body.fieldValidation;
  }

  /**
   * Decodes and applies the patch. Decoding waits until here, because the error for an absent object precedes the error
   * for an invalid patch.
   */
  change(write: ChangeContext): KubeObject | Promise<KubeObject> {
    const patch = decodeContentPatch(this.#body);
    const patched = patchJson(write.changed, write.before as KubeObject, patch);
    if (this.#body.mayStartOver) checkEventLoopObjects(patched);
    const object = pruned(patched, patch, this.#validation, write, this.#body.recognizesKind);
    // a repeated attempt must not warn again
    this.#validation = 'Ignore';
    checkIdentity(object, write);
    if (write.changed.type.unstructured) requireVersion(object);
    write.changed.type.setDefaults(object);
    return ownFields(object, write);
  }
}

/** Prunes a patched object like a body. @throws StatusError 422 */
function pruned(
  patched: Json,
  patch: ContentPatch,
  validation: FieldValidation,
  write: ChangeContext,
  recognizes: RecognizesKind | undefined,
): KubeObject {
  const { changed: definition } = write;
  let hasKind = false;
  try {
    if (definition.type.unstructured) requireKind(patched);
    else if (patch.kind !== 'strategic') checkKind(definition.type, patched, recognizes);
    hasKind = true;
    const converts = patch.kind === 'strategic';
    const options = { collectUnknown: validation !== 'Ignore', converts, remembersDropped: true };
    const { object, unknown: found } = pruneToType(definition.type, patched, options);
    // Go decodes an object without a version into a value that it then discards
    const isLost = patch.kind !== 'strategic' && !definition.type.unstructured && isJsonObject(patched) && hasNoVersion(patched);
    const inOrder = found.length > 0 ? inGoOrder(write, patch) : undefined;
    const ordered = inOrder === undefined ? found : pruneToType(definition.type, inOrder, options).unknown;
    const unknown = isLost && validation !== 'Ignore' ? unknownMembers(patched) : ordered;
    const errors = [...patch.strictErrors, ...(converts ? [...unknown].sort(compareStrings) : unknown)];
    if (validation === 'Warn') addStrictDecodingWarnings(write.warn, errors);
    if (validation === 'Strict' && errors.length > 0) {
      throw invalidPatch(definition.type, patch, inOrder ?? patched, `strict decoding error: ${errors.join(', ')}`);
    }
    if (!definition.type.unstructured) keepManagedFieldsReset(patched, object);
    return isLost ? { ...object, metadata: {} } : object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    const inOrder = inGoOrder(write, patch);
    const first = hasKind && inOrder !== undefined ? firstErrorIn(definition.type, inOrder) : undefined;
    throw invalidPatch(definition.type, patch, inOrder ?? patched, first ?? error.message);
  }
}

/** Returns the first error of a patched object, in the order in which json-patch writes it. */
function firstErrorIn(type: TypeDefinition, inOrder: Json): string | undefined {
  const written = sortedMembers(inOrder);
  return stringifyRawJson(written).length > maxOrderedBytes ? undefined : firstErrorOf(type, written, false);
}

const hasNoVersion = ({ apiVersion }: JsonObject): boolean => !apiVersion || apiVersion === '/';

const unknownMembers = (patched: JsonObject): string[] =>
  Object.keys(patched)
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .sort()
    .map((name) => `unknown field ${JSON.stringify(name)}`);

/**
 * Returns the patched object for messages, with its members in the order of the Go types, except where the patch reads
 * them into maps; undefined if the patch fails.
 */
function inGoOrder({ changed, before }: ChangeContext, patch: ContentPatch): Json | undefined {
  const { type } = changed;
  if (type.unstructured || patch.kind === 'strategic' || before === undefined) return undefined;
  try {
    const current = withKind(type, type.prune(before, new PruneContext()));
    const patched = patchJson(changed, current, patch);
    return patch.kind === 'json'
      ? patchedOrder(patch.operations, patched)
      : mergedOrder(unstructuredContent(current), patch.value, patched);
  } catch {
    return undefined;
  }
}

/** The message for a patch that does not apply to its object. (NewGenericServerResponse) */
const rejected = 'the server rejected our request due to an error in our request';

/**
 * Returns a 422 that names no object, as upstream does. It shows the patched object for a JSON patch or merge patch,
 * and the patch for a strategic merge patch.
 */
function invalidPatch(type: TypeDefinition, patch: ContentPatch, patched: Json, reason: string): StatusError {
  const json = (): string => (type.unstructured ? htmlSafe(stableText(patched)) : stringifyRawJson(sortedMembers(patched)));
  const value = patch.kind === 'strategic' ? formatGoValue(patch.value) : json();
  const shown = excerpt(value, 2 * maxExcerptLength);
  return invalid({ group: '', kind: '' }, '', [invalidField(FieldPath.of('patch'), shown, excerpt(reason, maxDetailLength))]);
}

/** Checks that a patch has not removed the kind of an unstructured object. @throws DecodeError */
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

/** Checks that a patch has not removed the version of an unstructured object. (apiserver rest.BeforeUpdate, objectMetaAndKind) */
function requireVersion({ apiVersion }: KubeObject): void {
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

/** Checks that a patch has not changed the kind of an object with a Go type. @throws DecodeError */
function checkKind(type: TypeDefinition, patched: Json, recognizes: RecognizesKind | undefined): void {
  if (!isJsonObject(patched)) return;
  const { apiVersion, kind } = patched;
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (typeof text === 'string' || text == null) continue;
    throw new DecodeError(`${kindParseError}json: cannot unmarshal ${jsonTypeOf(text)} into Go struct field .${field} of type string`);
  }
  if (typeof apiVersion === 'string' && parseGroupVersion(apiVersion) === undefined) {
    throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  }
  const reason = kindMismatch(type, apiVersion, kind, recognizes, () => stringifyRawJson(sortedMembers(patched)))?.reason;
  if (reason !== undefined) throw new DecodeError(reason);
}

/** Sorts the members of the first level. json-patch does so, because it reads only that level into a map. */
function sortedMembers(value: Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Applies a patch to a copy of an object. @throws StatusError 400, 413, 422, 500 */
function patchJson(definition: ResourceDefinition, object: KubeObject, patch: ContentPatch): Json {
  const current = unstructuredContent(cloneJson(object));
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
        throw requestEntityTooLarge(`Request entity too large: ${error.message}`);
      case 'unprocessable':
        throw unprocessable({ group: '', resource: '' }, '', rejected);
      case 'malformed':
        throw badRequest(error.message);
      case 'internal':
        throw plainError(error.message);
    }
  }
}
