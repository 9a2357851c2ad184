import { notAnObject } from '../../codec/type-meta.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { formatGroupVersion, type GroupVersionKind, isGroupVersion, parseGroupVersion, type RecognizesKind } from '../../machinery/gvk.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxExcerptLength } from '../../machinery/limits.ts';
import type { Json, JsonObject, KubeObject } from '../../machinery/object.ts';
import { PruneContext, type PruneOptions } from '../../machinery/prune/context.ts';
import type { TypeDefinition } from '../../machinery/resource.ts';
import { cannotHandle, conversionReason, registrationReason, wrongVersion } from './decode-errors.ts';
import { hasOptionsScheme, isUnversioned } from './meta-kinds.ts';
import { shareScheme } from './schemes.ts';

/** Returns the error for a body without a kind. It quotes the beginning of the body. */
export const missingKind = (body: Buffer): string => `Object 'Kind' is missing in '${body.toString('utf8', 0, maxExcerptLength + 1)}'`;

/** Returns the error for a body whose apiVersion has no version: `apps/`, for a kind of another group. */
export const missingVersion = (body: string): string => `Object 'apiVersion' is missing in '${body.slice(0, maxExcerptLength + 1)}'`;

/** Prunes an object of an unstructured type. Keeps a kind that is not the type's. @throws DecodeError */
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
 * Prunes a decoded value to an object of the type. Also returns strict decoding errors about unknown fields.
 *
 * @throws DecodeError, StatusError 400
 */
export function pruneToType(type: TypeDefinition, value: Json, options: PruneOptions): { object: KubeObject; unknown: readonly string[] } {
  if (!isJsonObject(value)) {
    throw new DecodeError(notAnObject(value));
  }
  if (type.unstructured) return pruneUnstructured(type, value, options);
  // the converter does not check them
  if (!options.converts) requireKind(type, value);
  const context = new PruneContext(options);
  const object = withKind(type, type.prune(value, context));
  return { object, unknown: context.strictErrors };
}

/**
 * Keeps an empty list of managed fields, with which an update resets them. Pruning drops the list, as if it were
 * absent.
 */
export function keepManagedFieldsReset(sent: Json, object: KubeObject): void {
  const metadata = isJsonObject(sent) ? sent.metadata : undefined;
  const managedFields = metadata !== undefined && isJsonObject(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(managedFields) && managedFields.length === 0) object.metadata.managedFields = [];
}

/** Returns the object with the kind and apiVersion of its type. */
export function withKind(type: TypeDefinition, object: KubeObject): KubeObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind: type.kind, apiVersion: formatGroupVersion(type), ...rest };
}

/**
 * Checks that the kind and apiVersion of a body are those of the type. Both may be absent. Every group-version accepts
 * DeleteOptions. (metav1.AddToGroupVersion)
 *
 * @param body its text, for the error about a missing version
 * @throws StatusError 400
 */
export function requireKind(
  type: TypeDefinition,
  { apiVersion, kind }: JsonObject,
  recognizes?: RecognizesKind,
  body?: () => string,
): void {
  const mismatch = kindMismatch(type, apiVersion, kind, recognizes, body);
  if (mismatch === undefined) return;
  const { sent, reason } = mismatch;
  throw reason === undefined ? wrongVersion(type, formatGroupVersion(sent)) : cannotHandle(type, reason, sent);
}

/**
 * Returns the kind of a body that is not of the type, with the reason to refuse it; undefined if the kind matches. The
 * reason is absent if only the version differs.
 */
export function kindMismatch(
  type: TypeDefinition,
  apiVersion: unknown,
  kind: unknown,
  recognizes?: RecognizesKind,
  body?: () => string,
): { readonly sent: GroupVersionKind; readonly reason?: string } | undefined {
  if (kind === type.kind && isGroupVersion(apiVersion, type)) return undefined;
  const isOptions = type.kind === 'DeleteOptions';
  if (isOptions && (kind === type.kind || !kind)) return undefined;
  const expected = formatGroupVersion(type);
  // a slash alone is no version, and a group alone has the default version (schema.ParseGroupVersion, gvkWithDefaults)
  const version = typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== '/' ? apiVersion : expected;
  const parsed = parseGroupVersion(version) ?? type;
  const group = parsed.version === '' && parsed.group === type.group ? type : parsed;
  const sent = { group: group.group, version: group.version, kind: typeof kind === 'string' && kind ? kind : type.kind };
  if (formatGroupVersion(sent) === expected && sent.kind === type.kind) return undefined;
  if (sent.version === '' && body !== undefined) return { sent, reason: missingVersion(body()) };
  const isKnown = isOptions
    ? hasOptionsScheme(sent)
    : isUnversioned(sent.kind) || (shareScheme(type, sent) && recognizes?.(sent) !== false);
  if (!isKnown) return { sent, reason: registrationReason(type, sent) };
  return sent.kind === type.kind ? { sent } : { sent, reason: conversionReason(type, sent) };
}
