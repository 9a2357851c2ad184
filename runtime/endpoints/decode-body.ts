import { BinaryReader } from '@bufbuild/protobuf/wire';
import { decodeCbor } from '../codec/cbor.ts';
import { decodeJson } from '../codec/json.ts';
import type { MediaTypeOffer } from '../codec/media-type.ts';
import { decodeEnvelope, protobufError } from '../codec/protobuf.ts';
import { decodeYaml } from '../codec/yaml.ts';
import { readBody } from '../http/body.ts';
import { mediaTypes, negotiateInput, offersFor } from '../http/negotiation.ts';
import type { FieldValidation } from '../http/query.ts';
import type { ApiContext } from '../http/state.ts';
import { formatGroupVersion, formatGroupVersionKind } from '../machinery/gvk.ts';
import type { Json, KubeObject } from '../machinery/object.ts';
import { DecodeError, isDecodeError, PruneContext } from '../machinery/prune.ts';
import { quote } from '../machinery/quote.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import { badRequest } from '../machinery/status.ts';
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
  try {
    if (mediaType === mediaTypes.protobuf) return decodeProtobuf(type, bytes);
    const repeated: string[] = [];
    const options = validation === 'Ignore' ? {} : { duplicates: repeated };
    const value = decodeValue(bytes, mediaType, options);
    return pruneChecked(ctx, type, value, validation, repeated);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw cannotHandle(type, error.message);
  }
}

function decodeValue(bytes: Uint8Array, mediaType: string, options: { readonly duplicates?: string[] }): Json {
  if (mediaType === mediaTypes.yaml) return decodeYaml(bytes, options);
  return mediaType === mediaTypes.cbor ? decodeCbor(bytes) : decodeJson(bytes, options);
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
    const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    throw new DecodeError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${actual === 'boolean' ? 'bool' : actual} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
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

function decodeProtobuf(type: TypeDefinition, bytes: Uint8Array): KubeObject {
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  requireKind(type, apiVersion, kind);
  try {
    return named(type, (type.protobuf as NonNullable<typeof type.protobuf>).decode(new BinaryReader(raw), raw.length));
  } catch (error) {
    throw protobufError(error);
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
function requireKind(type: TypeDefinition, apiVersion: unknown, kind: unknown): void {
  if (type.kind === 'DeleteOptions' && kind === type.kind) return;
  const expected = formatGroupVersion(type);
  const wrongVersion = typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== expected;
  const wrongKind = typeof kind === 'string' && kind !== '' && kind !== type.kind;
  if (wrongKind) {
    const actual = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected;
    const [group, version] = actual.includes('/') ? actual.split('/') : ['', actual];
    throw badRequest(
      `${kind} in version ${quote(version)} cannot be handled as a ${type.kind}: converting (${formatGroupVersionKind({ group, version, kind: String(kind) })}) to (${formatGroupVersionKind(type)}): unknown conversion`,
    );
  }
  if (wrongVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
}

function cannotHandle(type: TypeDefinition, why: string) {
  return badRequest(`${type.kind} in version ${quote(type.version)} cannot be handled as a ${type.kind}: ${why}`);
}
