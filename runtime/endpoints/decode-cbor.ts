import { decodeCbor, diagnoseCbor, interpretCbor } from '../codec/cbor.ts';
import { isDecodeError } from '../machinery/errors/decode-error.ts';
import { parseGroupVersion } from '../machinery/gvk.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import { maxExcerptLength } from '../machinery/limits.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import { cannotHandle, unrecognized } from '../resources/decoding/decode-errors.ts';

/**
 * Returns the members of a body in CBOR, for an unstructured type with its kind and apiVersion.
 * (apimachinery pkg/runtime/serializer/cbor/cbor.go Decode)
 *
 * @throws StatusError 400 if the body is no map, or its kind is no text
 */
export function decodeCborObject(type: TypeDefinition, bytes: Uint8Array): JsonObject {
  let value: Json;
  try {
    value = decodeCbor(bytes);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw cannotHandle(type, error.message, interpret(type, bytes));
  }
  const object = value ?? {};
  if (!isJsonObject(object)) {
    interpret(type, bytes);
    return {};
  }
  if (type.unstructured) requireKind(type, object, bytes);
  else if (!isText(object.kind) || !isText(object.apiVersion)) interpret(type, bytes);
  return object;
}

const isText = (value: Json | undefined): boolean => value == null || typeof value === 'string';

/** What the body says it is, or else the expected kind. @throws StatusError 400 */
function interpret(type: TypeDefinition, bytes: Uint8Array): { kind: string; version: string } {
  try {
    const { kind, apiVersion } = interpretCbor(bytes);
    return { kind: kind || type.kind, version: parseGroupVersion(apiVersion)?.version || type.version };
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw unrecognized(type, `unable to determine group/version/kind: ${error.message}`, bytes);
  }
}

/** An apiVersion that cannot be parsed hides the kind. (unstructured.GroupVersionKind) */
function requireKind(type: TypeDefinition, { kind, apiVersion }: JsonObject, bytes: Uint8Array): void {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const shown = (): string => diagnoseCbor(bytes, maxExcerptLength);
  if (typeof kind !== 'string' || kind === '' || parseGroupVersion(version) === undefined) {
    throw unrecognized(type, `Object 'Kind' is missing in '${shown()}'`, bytes);
  }
  if (version === '') throw cannotHandle(type, `Object 'apiVersion' is missing in '${shown()}'`, { kind, version });
}
