import { decodeJson } from '../../codec/json.ts';
import { kindParseError, notAnObject } from '../../codec/type-meta.ts';
import { decodeYaml } from '../../codec/yaml.ts';
import { DecodeError, isDecodeError } from '../../machinery/errors/decode-error.ts';
import { quote } from '../../machinery/go/quote.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
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
const unversionedKinds: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']);

/** What upstream calls the schemes that have the reviews of admission webhooks, and those of all others. */
export const admissionScheme = 'pkg/util/webhook/client.go:71';
export const commonScheme = 'pkg/runtime/scheme.go:111';

/** Why something else is no review, in Go's words. @param wanted as `v1.AdmissionReview` */
export function otherKindProblem(apiVersion: string, kind: string, wanted: string, scheme: string): string {
  if (apiVersion === 'v1' && unversionedKinds.has(kind)) {
    return `converting (v1.${kind}) to (${wanted}): unknown conversion`;
  }
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme ${quote(scheme)}`;
}

/** A kind of review, at the version that is wanted. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const otherVersions = ['v1', 'v1beta1', 'v1alpha1'];

/**
 * Checks that the answer of a webhook is the kind of review that it was sent. What does not say what it is, is.
 *
 * @throws DecodeError in Go's words
 */
export function requireReview(review: JsonObject, { group, version, kind }: ReviewKind): void {
  const wanted = `${version}.${kind}`;
  const apiVersion = String(review.apiVersion || `${group}/${version}`);
  const sentKind = String(review.kind || kind);
  if (apiVersion === `${group}/${version}` && sentKind === kind) return;
  const known = otherVersions.find((other) => apiVersion === `${group}/${other}` && sentKind === kind);
  const problem =
    known === undefined
      ? otherKindProblem(apiVersion, sentKind, wanted, commonScheme)
      : `converting (${known}.${kind}) to (${wanted}): unknown conversion`;
  throw new DecodeError(problem);
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
