import { decodeJson } from '../../../codec/json.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { DecodeError, isDecodeError } from '../../../machinery/errors/decode-error.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { internalError } from '../../../machinery/errors/status.ts';
import { checkEventLoopObjects, maxEventLoopObjects } from '../../../machinery/event-loop/objects.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { formatGroupVersion, formatGroupVersionKind } from '../../../machinery/gvk.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { fromUnstructured, type Json, type KubeObject, unstructuredContent } from '../../../machinery/object.ts';
import { PruneContext } from '../../../machinery/prune/context.ts';
import type { TypeDefinition } from '../../../machinery/resource.ts';
import { applyJsonPatch, requireJsonPatch } from '../../../patch/json-patch.ts';
import { isPatchError } from '../../../patch/patch-error.ts';
import type { VersionedObjects } from '../../conversion.ts';
import { isSameObject } from '../../reinvocation.ts';
import type { AdmissionResponse } from '../../webhook/admission-review.ts';
import { CallingWebhookError } from '../../webhook/errors.ts';

/** The object after a webhook's patch. */
export interface PatchedObject {
  /** A valid object of its type with defaults. A custom resource may have fields that its schema lacks. */
  readonly object: KubeObject;
  /** False if the patch has changed nothing. */
  readonly isChanged: boolean;
  readonly patch: Json[];
}

/**
 * Applies the patch of a response; undefined if there is none. The given object is not changed.
 *
 * @throws CallingWebhookError for what is no patch; StatusError 500 for a patch that cannot be applied; EventLoopBudgetError
 */
export function patchedObject(
  webhookName: string,
  { object, type }: VersionedObjects,
  { patch: bytes, patchType }: AdmissionResponse,
  operation: Attributes['operation'],
): PatchedObject | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const patch = decodePatch(webhookName, bytes);
  if (patch.length === 0) return undefined;
  if (bytes.length > maxEventLoopObjects) checkEventLoopObjects(patch);
  if (object === undefined) {
    const unsupported = 'attempted to modify the object, which is not supported for this operation';
    throw internalError(`admission webhook ${quote(webhookName)} ${unsupported}`);
  }
  if (patchType !== 'JSONPatch') {
    throw new CallingWebhookError(webhookName, `unsupported patch type ${quote(patchType)}`, 400);
  }
  try {
    const patched = applyJsonPatch(unstructuredContent(object), patch, undefined, false);
    // the options of a connection have no type
    if (operation === 'CONNECT') return { object: fromUnstructured(patched), isChanged: true, patch };
    const decoded = decodeAs(type, patched);
    const isChanged = !isSameObject(type, object, decoded);
    type.setDefaults(decoded);
    return { object: decoded, isChanged, patch };
  } catch (error) {
    if (isDecodeError(error) || isPatchError(error)) throw internalError(messageOf(error));
    throw error;
  }
}

/** (jsonpatch.DecodePatch) */
function decodePatch(webhookName: string, bytes: Uint8Array): Json[] {
  try {
    const patch = decodeJson(bytes);
    requireJsonPatch(patch, false);
    return patch ?? [];
  } catch (error) {
    const reason = `received undecodable patch in webhook response: ${messageOf(error)}`;
    throw new CallingWebhookError(webhookName, reason, 503);
  }
}

/** @throws DecodeError */
function decodeAs(type: TypeDefinition, patched: Json): KubeObject {
  if (!isJsonObject(patched)) throw new DecodeError('json: cannot unmarshal the patched value into an object');
  const { kind = '', apiVersion = '' } = patched;
  if (type.unstructured) return unstructured(patched);
  const own = formatGroupVersion(type);
  if ((kind !== '' && kind !== type.kind) || (apiVersion !== '' && apiVersion !== own)) {
    const sent = `${apiVersion || own}, Kind=${kind || type.kind}`;
    throw new DecodeError(`converting (${sent}) to (${formatGroupVersionKind(type)}): unknown conversion`);
  }
  return { ...type.prune(patched, new PruneContext()), kind: type.kind, apiVersion: own };
}

/** Checks only the members that all objects have. The schema prunes the object after the last webhook. */
function unstructured(patched: { [key: string]: Json }): KubeObject {
  const { kind, metadata = {} } = patched;
  if (typeof kind !== 'string' || kind === '') throw new DecodeError("Object 'Kind' is missing in the patched object");
  if (!isJsonObject(metadata)) throw new DecodeError('metadata of the patched object must be an object');
  return fromUnstructured({ ...patched, metadata });
}
