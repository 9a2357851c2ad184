import { readBody } from '../../http/body.ts';
import type { ApiContext } from '../../http/context.ts';
import { type PatchOptions, parsePatchOptions } from '../../http/options/write-options.ts';
import { AppliedConfiguration } from '../../resources/patch/apply-configuration.ts';
import { PatchedObject } from '../../resources/patch/content-patch.ts';
import { isApply, type PatchBody } from '../../resources/patch/decode-patch.ts';
import type { Change, UpdatePart } from '../../resources/rest.ts';
import { logRequestPatch } from '../audit.ts';
import { ClientWriter } from '../client-writer.ts';
import { createPermission } from '../create-permission.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { requireName } from '../namer.ts';
import { patchTypeOf } from '../patch-types.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { respondWithResult } from '../write-result.ts';

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
  const mayCreate = applies && (part === 'main' || definition.writeRules.createOnUpdate || definition.writeRules.statusCreates === true);
  const written = await store.update(
    definition,
    {
      namespace,
      name,
      change: patchOf(request, mediaType, body, options),
      part,
      subresource: request.info.subresource,
      requireCreate: mayCreate ? createPermission(request) : undefined,
      requireVersion: true,
    },
    ClientWriter.manager(request, options),
  );
  await respondWithResult(request, written.created ? 201 : 200, encoding, written);
}

/** Returns what the patch of a request does to its object. */
export function patchOf({ ctx }: ResourceRequest, mediaType: string, bytes: Uint8Array, options: PatchOptions): Change {
  const body = patchBody(ctx, mediaType, bytes, options);
  return isApply(mediaType) ? new AppliedConfiguration(body, options.force ?? false) : new PatchedObject(body);
}

export const patchBody = ({ state }: ApiContext, mediaType: string, bytes: Uint8Array, { fieldValidation }: PatchOptions): PatchBody => ({
  mediaType,
  bytes,
  fieldValidation,
  mayStartOver: state.mayStartOver,
  recognizesKind: state.recognizesKind,
});
