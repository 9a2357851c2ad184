import { readBody } from '../../http/body.ts';
import { parsePatchOptions } from '../../http/options/write-options.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { mergedNothing } from '../../patch/managed-fields/ignore-timestamps.ts';
import type { UpdatePart } from '../../resources/rest.ts';
import { logRequestPatch } from '../audit.ts';
import { createPermission } from '../create-permission.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { checkName, checkNamespace, requireName } from '../namer.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { decodePatch, isApply, patchTypeOf } from '../patch/decode-patch.ts';
import { serverSideApply } from '../patch/server-side-apply.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult, writerOf } from '../write-result.ts';

/** Patches an object, and responds with 200 and the stored object; with 201 if server-side apply created it. */
export function patchResource(request: ResourceRequest): Promise<void> {
  return patchPart(request, 'main');
}

/** Patches one part of an object. If the object changes meanwhile, the patch is applied again to its latest version. */
export async function patchPart(request: ResourceRequest, part: UpdatePart): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  const mediaType = patchTypeOf(ctx, definition);
  requireName(request);
  const encoding = await negotiateEncoding(request, 'object');
  const body = await readBody(ctx);
  const applies = isApply(mediaType);
  const options = parsePatchOptions(ctx.state.query, applies);
  logRequestPatch(request, body, mediaType);
  const writer = writerOf(request, options.dryRun, options);
  const mayCreate = applies && (part === 'main' || definition.strategy.createOnUpdate);
  let warned = false;
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      async change(current) {
        // Decoded here, because the error for an absent object comes before the error for an invalid patch.
        const patch = decodePatch(mediaType, body, options.fieldValidation);
        const fieldValidation = warned ? 'Ignore' : options.fieldValidation;
        const object =
          patch.kind === 'apply'
            ? await serverSideApply(request, current, patch, { ...options, fieldValidation })
            : applyPatch(request, current as KubeObject, patch, fieldValidation);
        warned = true;
        checkNamespace(request, object);
        checkName(request, object);
        // An apply that changes nothing adds no defaults of its version, which reads of another stored version do not
        // have.
        const isUnchanged = applies && definition.decoder?.setsDefaults && current && mergedNothing(object, current, options.fieldManager);
        if (!isUnchanged) definition.type.setDefaults(object);
        return object;
      },
      part,
      subresource: request.info.subresource,
      applies,
      requireCreate: mayCreate ? createPermission(request) : undefined,
      requireVersion: true,
    },
    writer,
  );
  await respondWithResult(request, written.created ? 201 : 200, encoding, written);
}
