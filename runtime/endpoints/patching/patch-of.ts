import { decodeJson } from '../../codec/json.ts';
import { parseContentType } from '../../codec/media-type.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import type { ApiContext } from '../../http/state.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import { isDecodeError } from '../../machinery/prune.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { badRequest, unsupportedMediaType } from '../../machinery/status.ts';
import { isJsonObject } from '../../patch/json-value.ts';

/** A change of an object as it is. */
export type Edit =
  | { readonly kind: 'json'; readonly operations: Json; readonly repeated: readonly string[] }
  | { readonly kind: 'merge' | 'strategic'; readonly value: JsonObject; readonly repeated: readonly string[] };

/** The configuration of a server-side apply. */
export interface ApplyConfig {
  readonly kind: 'apply';
  readonly config: KubeObject;
  /** What the decoder said of keys that came twice. */
  readonly repeated: readonly string[];
}

export type Patch = Edit | ApplyConfig;

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

/** Whether the body is the configuration of a server-side apply, by its Content-Type. */
export function isApply(ctx: ApiContext): boolean {
  return mediaTypeOf(ctx) === applyPatch;
}

const mediaTypeOf = (ctx: ApiContext): string =>
  parseContentType(ctx.req.headers['content-type'] ?? '')?.mediaType ?? '';

/** Reads a patch by its Content-Type. @throws StatusError 400, 415 */
export function patchOf(ctx: ApiContext, definition: ResourceDefinition, body: Uint8Array): Patch {
  if (!isApply(ctx)) return readEdit(ctx, body, [...editTypes(definition), applyPatch]);
  const repeated: string[] = [];
  return { kind: 'apply', config: configOf(body, repeated), repeated };
}

/** Where server-side apply does not work. @throws StatusError 400, 415 */
export function editOf(ctx: ApiContext, definition: ResourceDefinition, body: Uint8Array): Edit {
  return readEdit(ctx, body, editTypes(definition));
}

function readEdit(ctx: ApiContext, body: Uint8Array, accepted: readonly string[]): Edit {
  const mediaType = mediaTypeOf(ctx);
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
function editTypes(_definition: ResourceDefinition): string[] {
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

function configOf(body: Uint8Array, repeated: string[]): KubeObject {
  try {
    const config = decodeYaml(body, { duplicates: repeated });
    if (isJsonObject(config)) {
      const { metadata } = config;
      return { ...config, metadata: isJsonObject(metadata) ? metadata : {} } as unknown as KubeObject;
    }
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw badRequest(`error decoding YAML: ${error.message}`);
  }
  throw badRequest('error decoding YAML: the body is no object');
}
