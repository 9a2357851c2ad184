import type { ApiContext } from '../../http/context.ts';
import type { PatchOptions } from '../../http/options/write-options.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest, conflict, plainError } from '../../machinery/errors/status.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';
import { pruneChecked } from '../decode-body.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { warnOfProblems } from '../strict-warnings.ts';
import type { ApplyConfig } from './decode-patch.ts';

/**
 * Server-side apply: the object with the config laid over it and its metadata.managedFields, pruned; from nothing when
 * there is none yet. @throws StatusError 400, 409, 500
 */
export async function applyConfig(
  request: ResourceRequest,
  current: KubeObject | undefined,
  { config, repeated }: ApplyConfig,
  options: PatchOptions,
): Promise<KubeObject> {
  const { ctx, definition, scope, info, name } = request;
  const { fieldManagers } = scope.stores;
  const live = current ?? fieldManagers.empty(definition);
  const manager = await fieldManagers.of(definition, info.subresource ?? '', live);
  const { fieldManager, force = false } = options;
  const merged = await fieldManagers.run(definition, () => manager.apply(live, config, fieldManager, force));
  reportRepeated(ctx, repeated, options);
  if (current === undefined && merged.metadata.uid) {
    const why = `uid mismatch: the provided object specified uid ${merged.metadata.uid}, and no existing object was found`;
    throw conflict(definition, name, why);
  }
  try {
    return pruneChecked(ctx, definition.type, merged as unknown as Json, 'Ignore');
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    const { namespace = '' } = merged.metadata;
    throw plainError(`failed to convert new object (${namespace}/${name}) to proper version: ${error.message}`);
  }
}

function reportRepeated(ctx: ApiContext, repeated: readonly string[], { fieldValidation }: PatchOptions): void {
  if (repeated.length === 0 || fieldValidation === 'Ignore') return;
  const problem = `error converting YAML to JSON: ${repeated.join(', ')}`;
  if (fieldValidation === 'Strict') throw badRequest(`error strict decoding YAML: ${problem}`);
  warnOfProblems(ctx, [problem]);
}
