import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, conflict, plainError, type StatusError } from '../../machinery/errors/status.ts';
import { checkEventLoopObjects, maxEventLoopObjects } from '../../machinery/event-loop/objects.ts';
import { formatGoValue } from '../../machinery/go/format.ts';
import { type Json, type JsonObject, type KubeObject, type ObjectMeta, unstructuredContent } from '../../machinery/object.ts';
import { emptiableMetadata, type ResourceDefinition } from '../../machinery/resource.ts';
import type { FieldValidation } from '../../machinery/validation/field-validation.ts';
import { mergedNothing } from '../../patch/managed-fields/ignore-timestamps.ts';
import { checkVersion, formatGroupVersionKind } from '../../patch/managed-fields/version-check.ts';
import { asDecoded } from '../decoded.ts';
import { addStrictDecodingWarnings } from '../decoding/decode-errors.ts';
import { pruneToType } from '../decoding/prune-to-type.ts';
import { checkIdentity } from '../identity.ts';
import type { Change, ChangeContext } from '../rest.ts';
import { applyFields } from '../write/managed-fields.ts';
import { type ApplyConfig, decodeApplyConfig, type PatchBody } from './decode-patch.ts';

/** A configuration that a client applies. (apiserver handlers/patch.go applyPatcher) */
export class AppliedConfiguration implements Change {
  readonly operation = 'Apply';
  readonly #body: PatchBody;
  readonly #force: boolean;
  #validation: FieldValidation;

  /** @param force takes over fields of other managers instead of failing with a conflict */
  constructor(body: PatchBody, force: boolean) {
    this.#body = body;
    this.#force = force;
    this.#validation = body.fieldValidation;
  }

  /**
   * Decodes the configuration and applies it. Decoding waits until here, because the error for an absent object
   * precedes the error for an invalid patch.
   */
  async change(write: ChangeContext): Promise<KubeObject> {
    const { before, changed, fieldManager = '' } = write;
    const applied = await this.#apply(write, decodeApplyConfig(this.#body));
    // a repeated attempt must not warn again
    this.#validation = 'Ignore';
    checkIdentity(applied, write);
    // an apply without changes must not add defaults of its version: reads of an object stored at another version lack
    // them
    const isUnchanged = changed.decoder?.setsDefaults && before && mergedNothing(applied, before, fieldManager);
    if (!isUnchanged) changed.type.setDefaults(applied);
    return asDecoded(applied, write);
  }

  /**
   * Applies a configuration to a copy of the object, or to an empty object if it does not exist. Returns the merged
   * object, pruned, with managed fields.
   *
   * @throws StatusError 400, 409, 500
   */
  async #apply(write: ChangeContext, { config, badMetadata, duplicates }: ApplyConfig): Promise<KubeObject> {
    const { before, changed: definition, name, fieldManager = '' } = write;
    if (badMetadata !== undefined) throw untypedPatch(definition, config, badMetadata);
    // a body has fewer objects than bytes
    if (this.#body.mayStartOver && this.#body.bytes.length > maxEventLoopObjects) checkEventLoopObjects(config);
    const merged = await applyFields(config, { manager: fieldManager, force: this.#force }, write);
    this.#handleDuplicates(duplicates, write);
    if (before === undefined && merged.metadata.uid) {
      const reason = `uid mismatch: the provided object specified uid ${merged.metadata.uid}, and no existing object was found`;
      throw conflict(definition, name, reason);
    }
    try {
      const content = unstructuredContent(merged);
      convertManagedFields(definition, content, config.metadata?.managedFields);
      const { object } = pruneToType(definition.type, content, { ...conversion, remembersDropped: true });
      if (definition.type.unstructured) keepEmptyMetadata(object.metadata, merged.metadata);
      return object;
    } catch (error) {
      if (!isDecodeError(error)) throw error;
      throw unconvertible(definition, config, error.message);
    }
  }

  #handleDuplicates(duplicates: readonly string[], { warn }: ChangeContext): void {
    if (duplicates.length === 0 || this.#validation === 'Ignore') return;
    const error = `error converting YAML to JSON: ${duplicates.join(', ')}`;
    if (this.#validation === 'Strict') throw badRequest(`error strict decoding YAML: ${error}`);
    addStrictDecodingWarnings(warn, [error]);
  }
}

/** Converts as upstream's FromUnstructured. */
const conversion = { keepsNulls: true, converts: true };

/**
 * Converts the managed fields of a configuration, for the error alone: the merged object has others. Well-formed ones are
 * refused before the merge.
 *
 * @throws DecodeError
 */
function convertManagedFields({ type }: ResourceDefinition, content: JsonObject, managedFields: unknown): void {
  if (managedFields == null || type.unstructured) return;
  pruneToType(type, { ...content, metadata: { managedFields: managedFields as Json } }, conversion);
}

/**
 * Returns the error for a merged object that does not fit its Go type. The error names the configuration, not the
 * object.
 */
function unconvertible({ type }: ResourceDefinition, config: KubeObject, reason: string): StatusError {
  const what = formatGroupVersionKind(config);
  const prefix = type.unstructured ? '' : `unable to convert unstructured object to ${what}: `;
  const { namespace = '', name = '' } = config.metadata ?? {};
  return plainError(`failed to convert new object (${namespace}/${name}; ${what}) to proper version: ${prefix}${reason}`);
}

/**
 * Returns the error for a configuration whose metadata is no object. Throws the error for a wrong version instead,
 * which upstream finds first.
 */
function untypedPatch({ type }: ResourceDefinition, config: KubeObject, metadata: Json): StatusError {
  checkVersion(config, type);
  const what = formatGroupVersionKind(config);
  const reason = `.metadata: expected map, got &{${excerpt(formatGoValue(metadata))}}`;
  return plainError(`failed to create typed patch object (/; ${what}): ${reason}`);
}

/**
 * Keeps empty metadata members of the merged object. Upstream stores them after an apply, and drops them on the next
 * read, so the next write is a change.
 */
function keepEmptyMetadata(metadata: ObjectMeta, merged: ObjectMeta): void {
  for (const name of emptiableMetadata) {
    if (merged[name] === undefined || metadata[name] !== undefined) continue;
    if (name === 'labels' || name === 'annotations') metadata[name] = {};
    else metadata[name] = [];
  }
}
