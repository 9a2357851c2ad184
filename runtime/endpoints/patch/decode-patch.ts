import { decodeCbor } from '../../codec/cbor.ts';
import { decodeJson } from '../../codec/json.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import type { ApiContext } from '../../http/context.ts';
import type { FieldValidation } from '../../http/options/write-options.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest, unsupportedMediaType } from '../../machinery/errors/status.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { unknownJsonPatchFields } from '../../patch/json-patch.ts';

/** A change of an object as it is. `problems`: what strict field validation says of the patch itself. */
export type Edit =
  | { readonly kind: 'json'; readonly operations: Json; readonly problems: readonly string[] }
  | { readonly kind: 'merge' | 'strategic'; readonly value: JsonObject; readonly problems: readonly string[] };

/** The configuration of a server-side apply. */
export interface ApplyConfig {
  readonly kind: 'apply';
  readonly config: KubeObject;
  /** What the decoder said of keys that came twice. */
  readonly repeated: readonly string[];
}

export type Patch = Edit | ApplyConfig;

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
  /** Where the gate CBORServingAndStorage is open. */
  applyCbor: 'application/apply-patch+cbor',
} as const;

/** The media type of a patch. @throws StatusError 415 naming those that the resource takes */
export function patchTypeOf(ctx: ApiContext, definition: ResourceDefinition): string {
  const mediaType = (ctx.req.headers['content-type'] ?? '').split(';')[0];
  const accepted = acceptedTypes(ctx, definition);
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(accepted);
  return mediaType;
}

/** Strategic merge patch needs the tags of Go structs, which unstructured types do not have. (endpoints/installer.go) */
function acceptedTypes(ctx: ApiContext, { type }: ResourceDefinition): string[] {
  const { json, merge, strategic, apply, applyCbor } = patchTypes;
  return [json, merge, ...(type.unstructured ? [] : [strategic]), apply, ...(ctx.state.cborEnabled ? [applyCbor] : [])];
}

/** Whether patches of a media type are configurations of a server-side apply. */
export const isApply = (mediaType: string): boolean =>
  mediaType === patchTypes.apply || mediaType === patchTypes.applyCbor;

/**
 * Decodes a patch, once for each attempt to apply it: the patched object may share parts with the patch, and changes
 * them. @throws StatusError 400
 */
export function decodePatch(mediaType: string, body: Uint8Array, validation: FieldValidation): Patch {
  return isApply(mediaType) ? readConfig(mediaType, body) : readEdit(mediaType, body, validation);
}

function readEdit(mediaType: string, body: Uint8Array, validation: FieldValidation): Edit {
  const problems: string[] = [];
  // strict decoding goes first upstream, and leaves its name on what it cannot read
  const prefix = validation === 'Ignore' || mediaType === patchTypes.strategic ? '' : 'error decoding patch: ';
  const value = readJson(body, problems, prefix);
  if (mediaType === patchTypes.json) {
    if (!Array.isArray(value)) {
      const wanted = validation === 'Ignore' ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp';
      throw badRequest(`${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${wanted}`);
    }
    const repeated = problems.map((problem) => `json patch ${problem}`);
    return { kind: 'json', operations: value, problems: [...repeated, ...unknownJsonPatchFields(value)] };
  }
  if (isJsonObject(value)) return { kind: mediaType === patchTypes.merge ? 'merge' : 'strategic', value, problems };
  if (mediaType === patchTypes.merge && (value === null || validation === 'Ignore')) {
    throw badRequest('Invalid JSON Patch');
  }
  if (value === null) return { kind: 'strategic', value: {}, problems };
  throw badRequest(
    `${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}

function readJson(body: Uint8Array, repeated: string[], prefix: string): Json {
  try {
    return decodeJson(body, { duplicates: repeated });
  } catch (error) {
    if (isDecodeError(error)) throw badRequest(prefix + error.message);
    throw error;
  }
}

function readConfig(mediaType: string, body: Uint8Array): ApplyConfig {
  const repeated: string[] = [];
  const config = decodeConfig(mediaType, body, repeated);
  if (config === null) return { kind: 'apply', config: { metadata: {} } as KubeObject, repeated };
  if (!isJsonObject(config)) {
    const message = `json: cannot unmarshal ${jsonTypeOf(config)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${message}`);
  }
  const { metadata } = config;
  const whole = { ...config, metadata: isJsonObject(metadata) ? metadata : {} } as unknown as KubeObject;
  return { kind: 'apply', config: whole, repeated };
}

function decodeConfig(mediaType: string, body: Uint8Array, repeated: string[]): Json {
  const isCbor = mediaType === patchTypes.applyCbor;
  try {
    return isCbor ? decodeCbor(body) : decodeYaml(body, { duplicates: repeated });
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw badRequest(`error decoding YAML: ${isCbor ? '' : 'error converting YAML to JSON: '}${error.message}`);
  }
}
