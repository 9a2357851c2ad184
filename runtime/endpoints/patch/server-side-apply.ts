import type { ApiContext } from '../../http/context.ts';
import type { PatchOptions } from '../../http/options/write-options.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { badRequest, conflict, plainError, type StatusError } from '../../machinery/errors/status.ts';
import { formatGoValue } from '../../machinery/go/format.ts';
import { type Json, type KubeObject, type ObjectMeta, unstructuredContent } from '../../machinery/object.ts';
import { emptiableMetadata, type ResourceDefinition } from '../../machinery/resource.ts';
import { checkVersion, formatGroupVersionKind } from '../../patch/managed-fields/version-check.ts';
import { checkWork, pruneToType } from '../decode-body.ts';
import { addStrictDecodingWarnings } from '../decode-errors.ts';
import type { ResourceRequest } from '../resource-request.ts';
import type { ApplyConfig } from './decode-patch.ts';

/**
 * Applies a configuration to an object, or to an empty object if there is none. Returns the merged object, with managed
 * fields, pruned. (apiserver handlers/patch.go applyPatcher)
 *
 * @throws StatusError 400, 409, 500
 */
export async function serverSideApply(
  request: ResourceRequest,
  current: KubeObject | undefined,
  { config, badMetadata, duplicates }: ApplyConfig,
  options: PatchOptions,
): Promise<KubeObject> {
  const { ctx, definition, scope, info, name } = request;
  if (badMetadata !== undefined) throw untypedPatch(definition, config, badMetadata);
  checkWork(ctx, config, ctx.state.body?.length);
  const { fieldManagers } = scope.stores;
  const live = current ?? fieldManagers.empty(definition);
  const manager = await fieldManagers.of(definition, info.subresource ?? '', live);
  const { fieldManager, force = false } = options;
  const merged = await fieldManagers.run(definition, () => manager.apply(live, config, fieldManager, force));
  handleDuplicates(ctx, duplicates, options);
  if (current === undefined && merged.metadata.uid) {
    const reason = `uid mismatch: the provided object specified uid ${merged.metadata.uid}, and no existing object was found`;
    throw conflict(definition, name, reason);
  }
  try {
    const { object } = pruneToType(definition.type, unstructuredContent(merged), { keepsNulls: true });
    if (definition.type.unstructured) keepEmptyMetadata(object.metadata, merged.metadata);
    return object;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw unconvertible(definition, config, error.message);
  }
}

/** The error for a configuration after which the object cannot be read as its Go type. It names the configuration, not the object. */
function unconvertible({ type }: ResourceDefinition, config: KubeObject, reason: string): StatusError {
  const what = formatGroupVersionKind(config);
  const prefix = type.unstructured ? '' : `unable to convert unstructured object to ${what}: `;
  const { namespace = '', name = '' } = config.metadata ?? {};
  return plainError(`failed to convert new object (${namespace}/${name}; ${what}) to proper version: ${prefix}${reason}`);
}

/** The error for a configuration whose metadata is no object. Upstream finds it after a wrong version. */
function untypedPatch({ type }: ResourceDefinition, config: KubeObject, metadata: Json): StatusError {
  checkVersion(config, type);
  const what = formatGroupVersionKind(config);
  const reason = `.metadata: expected map, got &{${excerpt(formatGoValue(metadata))}}`;
  return badRequest(`failed to create typed patch object (/; ${what}): ${reason}`);
}

/** Upstream stores what an apply merges as it is, so that empty metadata makes the next write a change. */
function keepEmptyMetadata(metadata: ObjectMeta, merged: ObjectMeta): void {
  for (const name of emptiableMetadata) {
    if (merged[name] === undefined || metadata[name] !== undefined) continue;
    if (name === 'labels' || name === 'annotations') metadata[name] = {};
    else metadata[name] = [];
  }
}

function handleDuplicates(ctx: ApiContext, duplicates: readonly string[], { fieldValidation }: PatchOptions): void {
  if (duplicates.length === 0 || fieldValidation === 'Ignore') return;
  const error = `error converting YAML to JSON: ${duplicates.join(', ')}`;
  if (fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${error}`);
  addStrictDecodingWarnings(ctx, [error]);
}
