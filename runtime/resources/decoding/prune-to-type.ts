import { notAnObject } from '../../codec/type-meta.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { formatGroupVersion, parseGroupVersion, type RecognizesKind } from '../../machinery/gvk.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxExcerptLength } from '../../machinery/limits.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import { PruneContext, type PruneOptions } from '../../machinery/prune/context.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { cannotConvert, notRegistered, wrongVersion } from './decode-errors.ts';

/** Cut to the length of messages. */
export const missingKind = (body: Buffer): string => `Object 'Kind' is missing in '${body.toString('utf8', 0, maxExcerptLength + 1)}'`;

/** Prunes an object of an unstructured type. It keeps a wrong kind. @throws DecodeError */
export function pruneUnstructured(
  type: TypeDefinition,
  value: JsonObject,
  options: PruneOptions,
): { object: KubeObject; unknown: readonly string[] } {
  const context = new PruneContext(options);
  const object = { kind: '', apiVersion: '', ...type.prune(value, context) };
  return { object, unknown: context.strictErrors };
}

/**
 * Prunes a decoded value to an object of the type. Returns the errors of strict decoding about unknown fields, too.
 *
 * @throws DecodeError, StatusError 400
 */
export function pruneToType(type: TypeDefinition, value: Json, options: PruneOptions): { object: KubeObject; unknown: readonly string[] } {
  if (!isJsonObject(value)) {
    throw new DecodeError(notAnObject(value));
  }
  if (type.unstructured) return pruneUnstructured(type, value, options);
  requireKind(type, value.apiVersion, value.kind);
  const context = new PruneContext(options);
  const object = withKind(type, type.prune(value, context));
  return { object, unknown: context.strictErrors };
}

/** Keeps an empty list of managed fields, by which an update resets them. Otherwise it would count as absent. */
export function keepManagedFieldsReset(sent: Json, object: KubeObject): void {
  const metadata = isJsonObject(sent) ? sent.metadata : undefined;
  const managedFields = metadata !== undefined && isJsonObject(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(managedFields) && managedFields.length === 0) object.metadata.managedFields = [];
}

/** Gives an object the kind and apiVersion of its type. */
export function withKind(type: TypeDefinition, object: KubeObject): KubeObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind: type.kind, apiVersion: formatGroupVersion(type), ...rest };
}

/**
 * Checks that the kind and apiVersion of a body are those of the type; both may be absent. DeleteOptions are a kind of every
 * group-version. (metav1.AddToGroupVersion)
 *
 * @throws StatusError 400
 */
export function requireKind(type: TypeDefinition, apiVersion: unknown, kind: unknown, recognizes?: RecognizesKind): void {
  if (type.kind === 'DeleteOptions' && (kind === type.kind || !kind)) return;
  const expected = formatGroupVersion(type);
  const version = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : expected;
  const sent = { ...(parseGroupVersion(version) ?? type), kind: typeof kind === 'string' && kind ? kind : type.kind };
  if (version === expected && sent.kind === type.kind) return;
  if (recognizes?.(sent) === false) throw notRegistered(type, sent);
  throw sent.kind === type.kind ? wrongVersion(type, version) : cannotConvert(type, sent);
}
