import { decodeJson } from '../../codec/json.ts';
import { parseContentType } from '../../codec/media-type.ts';
import type { ApiContext } from '../../http/state.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { isDecodeError } from '../../machinery/prune.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { badRequest, unsupportedMediaType } from '../../machinery/status.ts';
import { isJsonObject } from '../../patch/json-value.ts';

export type Patch =
  | { readonly kind: 'json'; readonly operations: Json; readonly repeated: readonly string[] }
  | { readonly kind: 'merge' | 'strategic'; readonly value: JsonObject; readonly repeated: readonly string[] };

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

/** Reads a patch by its Content-Type. @throws StatusError 400, 415 */
export function patchOf(ctx: ApiContext, definition: ResourceDefinition, body: Uint8Array): Patch {
  const accepted = acceptedTypes(definition);
  const mediaType = parseContentType(ctx.req.headers['content-type'] ?? '')?.mediaType ?? '';
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(accepted);
  const repeated: string[] = [];
  const value = read(body, repeated);
  if (mediaType === jsonPatch) {
    if (!Array.isArray(value)) {
      throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
    }
    return { kind: 'json', operations: value, repeated };
  }
  if (!isJsonObject(value)) throw badRequest('Invalid JSON Patch');
  return { kind: mediaType === mergePatch ? 'merge' : 'strategic', value, repeated };
}

/** Strategic merge patch needs Go's struct tags, which only kinds with generated schemas have. */
function acceptedTypes(_definition: ResourceDefinition): string[] {
  return [jsonPatch, mergePatch, strategicPatch];
}

function read(body: Uint8Array, repeated: string[]): Json {
  try {
    return decodeJson(body, { duplicates: repeated });
  } catch (error) {
    if (isDecodeError(error)) throw badRequest(error.message);
    throw error;
  }
}
