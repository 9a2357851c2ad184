import { decodeCbor } from '../codec/cbor.ts';
import { decodeJson, encodeJson } from '../codec/json.ts';
import { decodeYaml } from '../codec/yaml.ts';
import { isDecodeError } from '../machinery/errors/decode-error.ts';
import type { Json, KubeObject } from '../machinery/object.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Records the object in the body of a request, with its defaults, and what objectRef takes from it. (audit.LogRequestObject) */
export function logRequestObject({ ctx }: ResourceRequest, object: KubeObject): void {
  const { audit } = ctx.state;
  if (audit === undefined) return;
  const { metadata } = object;
  if (metadata !== undefined) {
    const { namespace, name, uid, resourceVersion } = metadata;
    audit.logObject({ namespace, name, uid, resourceVersion });
  }
  if (!audit.logsRequest) return;
  const isOmitting = audit.omitManagedFields && metadata?.managedFields !== undefined;
  audit.logRequestObject(encodeJson(isOmitting ? { ...object, metadata: { ...metadata, managedFields: undefined } } : object));
}

/** Records a patch as it was sent. (audit.LogRequestPatch) */
export function logRequestPatch({ ctx }: ResourceRequest, patch: Uint8Array, mediaType: string): void {
  const { audit } = ctx.state;
  if (audit?.logsRequest) audit.logRequestObject(encodeJson(patchValue(patch, mediaType)));
}

/** The patch as JSON; what cannot be decoded is a string. (upstream loses events with patches in YAML that are not JSON) */
function patchValue(patch: Uint8Array, mediaType: string): Json {
  try {
    if (mediaType.endsWith('+cbor')) return decodeCbor(patch);
    return mediaType.endsWith('+yaml') ? decodeYaml(patch) : decodeJson(patch);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    return Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength).toString('utf8');
  }
}
