import type { ApiContext } from '../http/context.ts';
import { unsupportedMediaType } from '../machinery/errors/status.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { patchTypes } from '../resources/patch/decode-patch.ts';

/** Returns the media type of the patch. @throws StatusError 415 with the media types that the resource accepts */
export function patchTypeOf(ctx: ApiContext, definition: ResourceDefinition): string {
  const mediaType = (ctx.req.headers['content-type'] ?? '').split(';', 1).join();
  const accepted = patchTypesOf(ctx, definition);
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(accepted);
  return mediaType;
}

/**
 * Returns the media types of patches that the resource accepts. Unstructured types have no strategic merge patch,
 * because it needs the tags of Go structs. (endpoints/installer.go)
 */
export function patchTypesOf(ctx: ApiContext, { type }: ResourceDefinition): string[] {
  const { json, merge, strategic, apply, applyCbor } = patchTypes;
  return [json, merge, ...(type.unstructured ? [] : [strategic]), apply, ...(ctx.state.cborEnabled ? [applyCbor] : [])];
}
