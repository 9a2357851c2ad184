import { decodeJson } from '../codec/json.ts';
import { kindParseError, notAnObject } from '../codec/type-meta.ts';
import { decodeYaml } from '../codec/yaml.ts';
import { DecodeError, isDecodeError } from '../machinery/errors/decode-error.ts';
import { quote } from '../machinery/go/quote.ts';
import { isJsonObject } from '../machinery/json/values.ts';
import type { Json, JsonObject } from '../machinery/object.ts';
import type { HTTPResponse } from '../transport/http-client.ts';

const openingBrace = 0x7b;

/**
 * Decodes the object of a successful response. What does not begin with a brace is YAML. (client-go rest/request.go Into)
 *
 * @throws DecodeError in Go's words
 */
export function decodeReview({ status, headers, body }: HTTPResponse): JsonObject {
  if (body.length === 0) {
    const type = headers['content-type'] ?? 'application/json';
    throw new DecodeError(`0-length response with status code: ${status} and content type: ${type}`);
  }
  const value = decodeValue(body) ?? {};
  if (!isJsonObject(value)) throw new DecodeError(notAnObject(value));
  return value;
}

/** Kinds that every scheme of Kubernetes has besides its own. (metav1.Unversioned) */
const unversionedKinds: ReadonlySet<string> = new Set([
  ...['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList'],
]);

/** Why something else is no review, in Go's words. @param wanted as `v1.AdmissionReview` */
export function otherKindProblem(apiVersion: string, kind: string, wanted: string): string {
  if (apiVersion === 'v1' && unversionedKinds.has(kind)) {
    return `converting (v1.${kind}) to (${wanted}): unknown conversion`;
  }
  const scheme = 'pkg/util/webhook/client.go:71';
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme ${quote(scheme)}`;
}

/** Whether a body is decoded as JSON, and not as YAML, which takes ten times as long. */
export const isJsonBody = (body: Buffer): boolean => body.find((byte) => byte > 0x20) === openingBrace;

function decodeValue(body: Buffer): Json {
  const isJson = isJsonBody(body);
  try {
    return isJson ? decodeJson(body) : decodeYaml(body);
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    throw new DecodeError(isJson ? kindParseError + error.message : error.message);
  }
}
