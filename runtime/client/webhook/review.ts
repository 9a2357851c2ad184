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
 * Decodes the object of a successful response. A body that does not begin with a brace is YAML. (client-go
 * rest/request.go Into)
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

/** Kinds that every Kubernetes scheme has. (metav1.Unversioned) */
const unversionedKinds: ReadonlySet<string> = new Set(['Status', 'APIVersions', 'APIGroupList', 'APIGroup', 'APIResourceList']);

/** Upstream's name of the scheme of admission reviews, and the name of the scheme of all other reviews. */
export const admissionScheme = 'pkg/util/webhook/client.go:71';
export const commonScheme = 'pkg/runtime/scheme.go:111';

/** Returns Go's error for a response of another kind. @param wanted `v1.AdmissionReview` */
export function otherKindProblem(apiVersion: string, kind: string, wanted: string, scheme: string): string {
  if (apiVersion === 'v1' && unversionedKinds.has(kind)) {
    return `converting (v1.${kind}) to (${wanted}): unknown conversion`;
  }
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme ${quote(scheme)}`;
}

/** A kind of review at the wanted version. */
export interface ReviewKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const otherVersions = ['v1', 'v1beta1', 'v1alpha1'];

/**
 * Checks that a webhook's response has the kind of the request's review. A response without a kind passes.
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

/** Reports whether a body is JSON. YAML takes ten times as long to decode. */
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
