import { BinaryReader } from '@bufbuild/protobuf/wire';
import { decodeCbor } from '../codec/cbor.ts';
import { decodeJson } from '../codec/json.ts';
import type { MediaTypeOffer } from '../codec/media-type.ts';
import { decodeEnvelope, protobufError } from '../codec/protobuf.ts';
import { decodeYaml } from '../codec/yaml.ts';
import { readBody } from '../http/body.ts';
import type { ApiContext } from '../http/context.ts';
import { mediaTypes, negotiateInput, offersFor } from '../http/negotiation.ts';
import type { FieldValidation } from '../http/options/write-options.ts';
import type { RecognizesKind } from '../http/request-state.ts';
import { DecodeError, isDecodeError } from '../machinery/errors/decode-error.ts';
import { formatGroupVersion, parseGroupVersion } from '../machinery/gvk.ts';
import { maxExcerptLength } from '../machinery/limits.ts';
import type { Json, JsonObject, KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import { cannotConvert, cannotHandle, notRegistered, unrecognized, wrongKind, wrongVersion } from './decode-errors.ts';
import { warnOfProblems } from './strict-warnings.ts';

/**
 * Reads the body as one object of the type: any of its media types, pruned, with its kind and apiVersion filled in, not
 * defaulted. Unknown and repeated fields become warnings, or a refusal, as `validation` says.
 *
 * @throws StatusError 400, 413, 415
 */
export async function decodeBody(
  ctx: ApiContext,
  type: TypeDefinition,
  validation: FieldValidation,
): Promise<KubeObject> {
  const mediaType = negotiateInput(ctx, inputOffers(ctx, type));
  const bytes = await readBody(ctx);
  return decodeObject(ctx, type, bytes, mediaType, validation);
}

/** The same for bytes that are read already. */
export function decodeObject(
  ctx: ApiContext,
  type: TypeDefinition,
  bytes: Uint8Array,
  mediaType: MediaTypeOffer['mediaType'],
  validation: FieldValidation,
): KubeObject {
  const known = ctx.state.recognizesKind;
  if (mediaType === mediaTypes.protobuf) return decodeProtobuf(type, bytes, known);
  const repeated: string[] = [];
  const options = validation === 'Ignore' ? {} : { duplicates: repeated };
  const value = decodeValue(type, bytes, mediaType, options);
  if (type.unstructured) requireUnstructuredKind(type, value, bytes);
  else requireKind(type, value.apiVersion, value.kind, known);
  try {
    return pruneChecked(ctx, type, value, validation, repeated);
  } catch (error) {
    throw isDecodeError(error) ? cannotHandle(type, error.message) : error;
  }
}

/** The members of a body. What is none, and what does not say of which kind it is, cannot be told apart any further. */
function decodeValue(
  type: TypeDefinition,
  bytes: Uint8Array,
  mediaType: string,
  options: { readonly duplicates?: string[] },
): JsonObject {
  let value: Json;
  try {
    if (mediaType === mediaTypes.yaml) value = decodeYaml(bytes, options);
    else value = mediaType === mediaTypes.cbor ? decodeCbor(bytes) : decodeJson(bytes, options);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    const head = mediaType === mediaTypes.json ? noKind : '';
    throw unrecognized(type, head + error.message, bytes);
  }
  // as Go reads it: nothing is said
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw unrecognized(type, `${noKind}${cannotUnmarshal(value)} value of type ${headType}`, bytes);
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    const text = value[field];
    if (typeof text !== 'string' && text != null) {
      throw unrecognized(type, `${noKind}${cannotUnmarshal(text)} struct field .${field} of type string`, bytes);
    }
  }
  const apiVersion = (value.apiVersion as string | null | undefined) ?? '';
  if (parseGroupVersion(apiVersion) === undefined) {
    throw unrecognized(type, `unexpected GroupVersion string: ${apiVersion}`, bytes);
  }
  return value;
}

const noKind = "couldn't get version/kind; json parse error: ";
const headType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function cannotUnmarshal(value: Json): string {
  const type = typeof value;
  const actual = Array.isArray(value) ? 'array' : type === 'boolean' ? 'bool' : type === 'bigint' ? 'number' : type;
  return `json: cannot unmarshal ${actual} into Go`;
}

/** The body of an unstructured type has to say what it is, because there is no Go type that would. */
function requireUnstructuredKind(type: TypeDefinition, value: JsonObject, bytes: Uint8Array): void {
  const apiVersion = (value.apiVersion as string | null | undefined) ?? '';
  const kind = (value.kind as string | null | undefined) ?? '';
  if (kind === '') {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // cut with the message, to which this is enough
    const shown = body.toString('utf8', 0, maxExcerptLength + 1);
    throw unrecognized(type, `Object 'Kind' is missing in '${shown}'`, bytes);
  }
  if (apiVersion !== formatGroupVersion(type)) throw wrongVersion(type, apiVersion);
  if (kind !== type.kind) throw wrongKind(type, kind, (value.metadata as JsonObject | null | undefined)?.name);
}

/** The media types that bodies of a type may have. */
function inputOffers(ctx: ApiContext, type: TypeDefinition): readonly MediaTypeOffer[] {
  const offers = offersFor(ctx);
  return type.protobuf ? offers : offers.filter(({ mediaType }) => mediaType !== mediaTypes.protobuf);
}

/** A decoded value as an object of the type. `repeated`: what the decoder said of fields that came twice. */
export function pruneChecked(
  ctx: ApiContext,
  type: TypeDefinition,
  value: Json,
  validation: FieldValidation,
  repeated: readonly string[] = [],
): KubeObject {
  const { object, unknown } = prunedAs(type, value, validation !== 'Ignore');
  reportStrict(ctx, type, [...repeated, ...unknown], validation);
  return object;
}

/** The same without a judgement of the fields that are unknown. */
export function prunedAs(
  type: TypeDefinition,
  value: Json,
  collectUnknown: boolean,
): { object: KubeObject; unknown: readonly string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DecodeError(`${noKind}${cannotUnmarshal(value)} value of type ${headType}`);
  }
  requireKind(type, value.apiVersion, value.kind);
  const context = new PruneContext({ collectUnknown });
  const object = named(type, type.prune(value, context));
  return { object, unknown: context.strictErrors };
}

/** Warns of, or refuses, fields that are unknown or came twice. (apiserver pkg/endpoints/handlers/create.go) */
export function reportStrict(
  ctx: ApiContext,
  type: TypeDefinition,
  problems: readonly string[],
  validation: FieldValidation,
): void {
  if (problems.length === 0 || validation === 'Ignore') return;
  if (validation === 'Warn') warnOfProblems(ctx, problems);
  else throw cannotHandle(type, `strict decoding error: ${problems.join(', ')}`);
}

function decodeProtobuf(type: TypeDefinition, bytes: Uint8Array, known?: RecognizesKind): KubeObject {
  let envelope: ReturnType<typeof decodeEnvelope>;
  try {
    envelope = decodeEnvelope(bytes);
  } catch (error) {
    throw isDecodeError(error) ? unrecognized(type, error.message, bytes) : error;
  }
  const { apiVersion, kind, raw } = envelope;
  requireKind(type, apiVersion, kind, known);
  try {
    return named(type, (type.protobuf as NonNullable<typeof type.protobuf>).decode(new BinaryReader(raw), raw.length));
  } catch (error) {
    const failure = protobufError(error);
    throw isDecodeError(failure) ? cannotHandle(type, failure.message) : failure;
  }
}

function named(type: TypeDefinition, object: KubeObject): KubeObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind: type.kind, apiVersion: formatGroupVersion(type), ...rest };
}

/**
 * A body may leave out what it is; what it says must be what the path holds. DeleteOptions are a kind of every
 * group-version. (metav1.AddToGroupVersion)
 */
function requireKind(type: TypeDefinition, apiVersion: unknown, kind: unknown, known?: RecognizesKind): void {
  if (type.kind === 'DeleteOptions' && kind === type.kind) return;
  const expected = formatGroupVersion(type);
  const version = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected;
  const sent = { ...(parseGroupVersion(version) ?? type), kind: typeof kind === 'string' && kind ? kind : type.kind };
  if (version === expected && sent.kind === type.kind) return;
  if (known?.(sent) === false) throw notRegistered(type, sent);
  throw sent.kind === type.kind ? wrongVersion(type, version) : cannotConvert(type, sent);
}
