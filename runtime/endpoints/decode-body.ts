import { BinaryReader } from '@bufbuild/protobuf/wire';
import { StrictErrorOrder } from '../codec/field-steps.ts';
import { parseExactJson } from '../codec/json/exact.ts';
import { decodeJson } from '../codec/json.ts';
import type { MediaTypeOffer } from '../codec/media-type.ts';
import { decodeEnvelope } from '../codec/protobuf.ts';
import { kindParseError, notAnObject } from '../codec/type-meta.ts';
import { decodeYaml } from '../codec/yaml.ts';
import { readBody } from '../http/body.ts';
import type { ApiContext } from '../http/context.ts';
import { mediaTypes, negotiateInput, supportedMediaTypes } from '../http/negotiation.ts';
import { isDecodeError } from '../machinery/errors/decode-error.ts';
import { checkEventLoopObjects, maxEventLoopObjects } from '../machinery/event-loop/objects.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../machinery/gvk.ts';
import { isJsonObject, jsonTypeOf } from '../machinery/json/values.ts';
import type { Json, JsonObject, KubeObject } from '../machinery/object.ts';
import { decodeErrorOf } from '../machinery/protobuf/wire.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import type { FieldValidation } from '../machinery/validation/field-validation.ts';
import { addStrictDecodingWarnings, cannotHandle, unrecognized, wrongVersion } from '../resources/decoding/decode-errors.ts';
import { firstErrorOf, maxOrderedBytes } from '../resources/decoding/first-error.ts';
import {
  keepManagedFieldsReset,
  missingKind,
  pruneToType,
  pruneUnstructured,
  requireKind,
  withKind,
} from '../resources/decoding/prune-to-type.ts';
import { decodeCborObject } from './decode-cbor.ts';

/**
 * Decodes the body to an object of the type, from any media type that the type has. The object is pruned and gets its kind
 * and apiVersion, but no defaults. Unknown and duplicate fields become warnings or errors, as `validation` says.
 *
 * @param otherVersions of the type's group that have the same fields. A body at one of them keeps its apiVersion
 * @throws StatusError 400, 413, 415
 */
export async function decodeBody(
  ctx: ApiContext,
  type: TypeDefinition,
  validation: FieldValidation,
  otherVersions?: readonly string[],
): Promise<KubeObject> {
  const mediaType = negotiateInput(ctx, supportedMediaTypes(ctx));
  return decodeObject(ctx, type, { bytes: await readBody(ctx), mediaType }, validation, otherVersions);
}

/** As decodeBody. Also returns whether the body names its kind and version. */
export async function decodeBodyAndKind(
  ctx: ApiContext,
  type: TypeDefinition,
  validation: FieldValidation,
): Promise<{ object: KubeObject; namesKind: boolean }> {
  const mediaType = negotiateInput(ctx, supportedMediaTypes(ctx));
  const encoded = { bytes: await readBody(ctx), mediaType };
  if (mediaType === mediaTypes.protobuf) {
    return { object: decodeObject(ctx, type, encoded, validation), namesKind: true };
  }
  const body = decodeValue(type, encoded, validation);
  const { kind, apiVersion } = body.value;
  return { object: finishDecoding(ctx, type, body, validation), namesKind: Boolean(kind) && Boolean(apiVersion) };
}

export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly mediaType: MediaTypeOffer['mediaType'];
}

/** Does what decodeBody does for bytes that are already read. @throws StatusError 400 */
export function decodeObject(
  ctx: ApiContext,
  type: TypeDefinition,
  encoded: RequestBody,
  validation: FieldValidation,
  otherVersions?: readonly string[],
): KubeObject {
  if (encoded.mediaType === mediaTypes.protobuf) {
    return decodeProtobuf(ctx, type, encoded.bytes, otherVersions);
  }
  const body = decodeValue(type, encoded, validation);
  return finishDecoding(ctx, typeAt(body.value.apiVersion, type, otherVersions), body, validation);
}

/** The type at the version that a body says it has, if that is one of those with the same fields. */
function typeAt(apiVersion: unknown, type: TypeDefinition, otherVersions: readonly string[] = []): TypeDefinition {
  const version = otherVersions.find((one) => formatGroupVersion({ group: type.group, version: one }) === apiVersion);
  return version === undefined ? type : { ...type, version };
}

function finishDecoding(ctx: ApiContext, type: TypeDefinition, body: DecodedBody, validation: FieldValidation): KubeObject {
  if (type.unstructured) {
    // upstream looks for unknown fields only in JSON and YAML (customresource_handler.go DecoderToVersion)
    return finishUnstructured(ctx, type, body, body.mediaType === mediaTypes.cbor ? 'Ignore' : validation);
  }
  const { value } = body;
  checkWork(ctx, value, body.bytes.length);
  requireKind(type, value, ctx.state.recognizesKind, () => Buffer.from(body.bytes).toString());
  try {
    const { object, unknown } = pruneToType(type, value, { collectUnknown: validation !== 'Ignore', remembersDropped: true });
    handleStrictErrors(ctx, type, inDocumentOrder(body, unknown), validation);
    if (ctx.method === 'PUT') keepManagedFieldsReset(value, object);
    return object;
  } catch (error) {
    throw isDecodeError(error) ? cannotHandle(type, firstError(type, body) ?? error.message) : error;
  }
}

/** Returns the message of a small document's first error. */
const firstError = (type: TypeDefinition, { value, bytes, mediaType }: DecodedBody): string | undefined =>
  bytes.length > maxOrderedBytes ? undefined : firstErrorOf(type, value, mediaType === mediaTypes.yaml);

/**
 * Go's decoder finds both kinds of errors in one pass over JSON, and does not look into unknown fields. It looks for duplicates first
 * in YAML.
 */
function inDocumentOrder({ bytes, mediaType, duplicates }: DecodedBody, unknown: readonly string[]): readonly string[] {
  const isMixed = duplicates.length > 0 && unknown.length > 0;
  if (!isMixed || mediaType !== mediaTypes.json) return [...duplicates, ...unknown];
  const known = duplicates.filter((duplicate) => !unknown.some((one) => isAtOrBelow(duplicate, one)));
  if (bytes.length > maxOrderedBytes) return [...known, ...unknown];
  const order = new StrictErrorOrder();
  parseExactJson(bytes, { order });
  return order.sort([...known, ...unknown]);
}

/** Whether `duplicate field "a.b"` is about the field of `unknown field "a"`, or one in it. */
function isAtOrBelow(duplicate: string, unknown: string): boolean {
  const quotedIn = (error: string): string => error.slice(error.indexOf('"'), -1);
  const [path, parent] = [quotedIn(duplicate), quotedIn(unknown)];
  return path.startsWith(parent) && ['', '.', '['].includes(path.slice(parent.length, parent.length + 1));
}

interface DecodedBody extends RequestBody {
  readonly value: JsonObject;
  /** The errors of strict decoding about them. */
  readonly duplicates: readonly string[];
}

/** @throws StatusError 400 if the body is no object, or its kind is no text */
function decodeValue(type: TypeDefinition, { bytes, mediaType }: RequestBody, validation: FieldValidation): DecodedBody {
  const duplicates: string[] = [];
  if (mediaType === mediaTypes.cbor) return { value: decodeCborObject(type, bytes), duplicates, bytes, mediaType };
  const wantsDuplicates = validation !== 'Ignore';
  const fillsTwice = !type.unstructured;
  const options = { floats: true, fillsTwice, ...(wantsDuplicates || fillsTwice ? { duplicates } : {}) };
  let value: Json;
  try {
    value = mediaType === mediaTypes.yaml ? decodeYaml(bytes, wantsDuplicates ? { duplicates } : {}) : decodeJson(bytes, options);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    if (error.isAfterKind) throw cannotHandle(type, error.message);
    const head = mediaType === mediaTypes.json ? kindParseError : '';
    throw unrecognized(type, head + error.message, bytes);
  }
  // Go decodes null to an object without members.
  if (value === null) return { value: {}, duplicates, bytes, mediaType };
  if (!isJsonObject(value)) {
    throw unrecognized(type, notAnObject(value), bytes);
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    const text = value[field];
    if (typeof text !== 'string' && text != null) {
      throw unrecognized(
        type,
        `${kindParseError}json: cannot unmarshal ${jsonTypeOf(text)} into Go struct field .${field} of type string`,
        bytes,
      );
    }
  }
  const apiVersion = (value.apiVersion as string | null | undefined) ?? '';
  if (parseGroupVersion(apiVersion) === undefined) {
    throw unrecognized(type, `unexpected GroupVersion string: ${apiVersion}`, bytes);
  }
  return { value, duplicates, bytes, mediaType };
}

/**
 * The body of an unstructured type must contain its kind, because no Go type implies it. A wrong kind is kept, and
 * refused by validation.
 *
 * @throws StatusError 400
 */
function finishUnstructured(
  ctx: ApiContext,
  type: TypeDefinition,
  { value, duplicates, bytes }: DecodedBody,
  validation: FieldValidation,
): KubeObject {
  const apiVersion = (value.apiVersion as string | null | undefined) ?? '';
  const kind = (value.kind as string | null | undefined) ?? '';
  const { version = type.version } = apiVersion === '' ? type : (parseGroupVersion(apiVersion) ?? type);
  if (kind === '') {
    const reason = missingKind(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    throw validation === 'Ignore' ? cannotHandle(type, reason, { kind: type.kind, version }) : unrecognized(type, reason, bytes);
  }
  const sent = { group: type.group, kind, version };
  try {
    const { object, unknown } = pruneUnstructured(type, value, { collectUnknown: validation !== 'Ignore' });
    handleStrictErrors(ctx, sent, [...duplicates, ...unknown], validation);
    if (apiVersion !== formatGroupVersion(type)) throw wrongVersion(type, apiVersion);
    return object;
  } catch (error) {
    throw isDecodeError(error) ? cannotHandle(type, error.message, sent) : error;
  }
}

/** Adds warnings about unknown and duplicate fields, or rejects them. (apiserver pkg/endpoints/handlers/create.go) */
function handleStrictErrors(ctx: ApiContext, type: GroupVersionKind, errors: readonly string[], validation: FieldValidation): void {
  if (errors.length === 0 || validation === 'Ignore') return;
  if (validation === 'Warn') addStrictDecodingWarnings((text) => ctx.state.addWarnings(text), errors);
  else {
    throw ctx.state.strictDecodingError?.(type, errors) ?? cannotHandle(type, `strict decoding error: ${errors.join(', ')}`);
  }
}

const notMarshalable =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

function decodeProtobuf(ctx: ApiContext, expected: TypeDefinition, bytes: Uint8Array, otherVersions?: readonly string[]): KubeObject {
  let envelope: ReturnType<typeof decodeEnvelope>;
  try {
    envelope = decodeEnvelope(bytes);
  } catch (error) {
    throw isDecodeError(error) ? unrecognized(expected, error.message, bytes) : error;
  }
  const { apiVersion, kind, raw } = envelope;
  const type = typeAt(apiVersion, expected, otherVersions);
  if (type.protobuf === undefined) throw cannotHandle(type, notMarshalable);
  requireKind(type, { apiVersion, kind }, ctx.state.recognizesKind);
  try {
    const object = withKind(type, type.protobuf.decode(new BinaryReader(raw), raw.length));
    checkWork(ctx, object, bytes.length);
    return object;
  } catch (error) {
    const failure = decodeErrorOf(error);
    throw isDecodeError(failure) ? cannotHandle(type, failure.message) : failure;
  }
}

/** Checks the work that a body makes. @throws EventLoopBudgetError if the request starts over elsewhere */
function checkWork({ state }: ApiContext, value: unknown, length: number): void {
  // no byte makes two objects
  if (state.mayStartOver && length > maxEventLoopObjects) checkEventLoopObjects(value);
}
