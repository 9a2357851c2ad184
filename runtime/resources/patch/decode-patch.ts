import { cborTypeOf, decodeCbor } from '../../codec/cbor.ts';
import { type DecodeOptions, decodeJson } from '../../codec/json.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import type { RecognizesKind } from '../../machinery/gvk.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import { fromUnstructured, type Json, type JsonObject, type KubeObject } from '../../machinery/object.ts';
import type { FieldValidation } from '../../machinery/validation/field-validation.ts';
import { type TestTexts, unknownJsonPatchFields } from '../../patch/json-patch.ts';
import { scalarTexts } from '../../patch/scalar-texts.ts';

/** The body of a patch. */
export interface PatchBody {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly fieldValidation: FieldValidation;
  /** Whether the request starts over on a worker thread if it is too much work for the event loop. */
  readonly mayStartOver: boolean;
  /** Default: all kinds exist. */
  readonly recognizesKind?: RecognizesKind | undefined;
}

/** A patch that is no apply configuration. `strictErrors` are the errors of strict decoding about the patch itself. */
export type ContentPatch =
  | {
      readonly kind: 'json';
      readonly operations: Json;
      readonly textsOf: TestTexts;
      /** The types of the operations' fields have been checked. */
      readonly strict: boolean;
      readonly strictErrors: readonly string[];
    }
  | { readonly kind: 'merge'; readonly value: JsonObject | Json[]; readonly strictErrors: readonly string[] }
  | { readonly kind: 'strategic'; readonly value: JsonObject; readonly strictErrors: readonly string[] };

/** The configuration of a server-side apply. */
export interface ApplyConfig {
  /** As it was sent: it may have no metadata. */
  readonly config: KubeObject;
  /** The `metadata` of the body if it is no object; the configuration then has none. */
  readonly badMetadata?: Json;
  /** The errors of the decoder about duplicate keys. */
  readonly duplicates: readonly string[];
}

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
  /** If the feature gate CBORServingAndStorage is enabled. */
  applyCbor: 'application/apply-patch+cbor',
} as const;

/** Returns true if a patch of this media type is an apply configuration. */
export const isApply = (mediaType: string): boolean => mediaType === patchTypes.apply || mediaType === patchTypes.applyCbor;

/**
 * Decodes a patch that is no apply configuration. Every attempt to apply it needs its own, because the patched object may share
 * parts with the patch and change them.
 *
 * @throws StatusError 400
 */
export function decodeContentPatch({ mediaType, bytes: body, fieldValidation: validation }: PatchBody): ContentPatch {
  const strictErrors: string[] = [];
  // Upstream begins with strict decoding, whose errors have this prefix.
  const prefix = validation === 'Ignore' || mediaType === patchTypes.strategic ? '' : 'error decoding patch: ';
  const isBadMerge = mediaType === patchTypes.merge && validation === 'Ignore';
  // a strategic patch is converted to its Go type without JSON in between, which makes 5.0 an integer
  const options = { duplicates: strictErrors, floats: mediaType !== patchTypes.strategic };
  const value = decodePatchJson(body, options, isBadMerge ? badMergePatch : (message) => prefix + message);
  if (mediaType === patchTypes.json) {
    const duplicates = strictErrors.map((error) => `json patch ${error}`);
    return {
      kind: 'json',
      operations: value,
      textsOf: textsOf(body),
      strict: validation !== 'Ignore',
      strictErrors: [...duplicates, ...unknownJsonPatchFields(value)],
    };
  }
  if (isJsonObject(value)) return { kind: mediaType === patchTypes.merge ? 'merge' : 'strategic', value, strictErrors };
  if (isBadMerge && Array.isArray(value)) return { kind: 'merge', value, strictErrors };
  if (isBadMerge || (mediaType === patchTypes.merge && value === null)) throw badRequest(badMergePatch());
  if (value === null) return { kind: 'strategic', value: {}, strictErrors };
  throw badRequest(`${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`);
}

/** The whole error of the merge library, without strict decoding before it. (evanphx/json-patch ErrBadJSONPatch) */
const badMergePatch = (): string => 'Invalid JSON Patch';

const testTexts = new WeakMap<Uint8Array, Json>();

/** Returns the texts of the first operations of a patch. They are the same at each attempt to apply it. */
function textsOf(body: Uint8Array): TestTexts {
  return (count) => {
    let texts = testTexts.get(body);
    if (texts === undefined) {
      texts = scalarTexts(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(), count);
      testTexts.set(body, texts);
    }
    return texts;
  };
}

function decodePatchJson(body: Uint8Array, options: DecodeOptions, inWords: (message: string) => string): Json {
  try {
    return decodeJson(body, options);
  } catch (error) {
    if (isDecodeError(error)) throw badRequest(inWords(error.message));
    throw error;
  }
}

/** Decodes an apply configuration. @throws StatusError 400 */
export function decodeApplyConfig({ mediaType, bytes: body }: PatchBody): ApplyConfig {
  const duplicates: string[] = [];
  const config = decodeConfigValue(mediaType, body, duplicates);
  if (config === null) return { config: { metadata: {} }, duplicates };
  if (!isJsonObject(config)) {
    const what =
      mediaType === patchTypes.applyCbor
        ? `cbor: cannot unmarshal ${cborTypeOf(config)}`
        : `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeOf(config)}`;
    throw badRequest(`error decoding YAML: ${what} into Go value of type map[string]interface {}`);
  }
  const { metadata = null } = config;
  // absent metadata stays so: its manager no longer wants any
  if (metadata === null || isJsonObject(metadata)) return { config: fromUnstructured(config), duplicates };
  const whole = fromUnstructured({ ...config, metadata: {} });
  return { config: whole, duplicates, badMetadata: metadata };
}

function decodeConfigValue(mediaType: string, body: Uint8Array, duplicates: string[]): Json {
  const isCbor = mediaType === patchTypes.applyCbor;
  try {
    return isCbor ? decodeCbor(body) : decodeYaml(body, { duplicates: duplicates });
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw badRequest(`error decoding YAML: ${isCbor ? '' : 'error converting YAML to JSON: '}${error.message}`);
  }
}
