import { randomUUID } from 'node:crypto';
import type { WebhookConversion } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { WebhookClient } from '../../../client/webhook/client.ts';
import { commonScheme, otherKindProblem } from '../../../client/webhook/review.ts';
import type { ServiceResolver } from '../../../client/webhook/service-resolver.ts';
import { encodeJson, stringifyJson } from '../../../codec/json.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { excerpt } from '../../../machinery/errors/excerpt.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { plainError, type StatusError } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { formatGroupVersionKind, parseGroupVersion } from '../../../machinery/gvk.ts';
import { isJsonObject, jsonTypeOf } from '../../../machinery/json/values.ts';
import { fromUnstructured, type Json, type JsonObject, type KubeObject } from '../../../machinery/object.ts';
import { decodeConversionResponse } from './conversion-response.ts';
import { type Converter, nopConverter } from './converter.ts';
import { restoreObjectMeta } from './restore-object-meta.ts';

/** The maximum objects of a call. A large list needs few calls, and each call stays short. */
const maxBatchSize = 500;
/** A batch of this size gets no more objects, because request and response are in memory at once. */
const maxBatchBytes = 2 * 1024 * 1024;
const group = 'apiextensions.k8s.io';
const reviewKind = 'ConversionReview';
const supportedVersions = ['v1', 'v1beta1'];

/** Returns a converter that sends ConversionReviews to a webhook. (pkg/apiserver/conversion/webhook_converter.go) */
export function webhookConverter(spec: WebhookConversion, resolve: ServiceResolver): Converter {
  const client = new WebhookClient(spec.clientConfig ?? {}, resolve);
  const reviewVersion = spec.conversionReviewVersions.find((version) => supportedVersions.includes(version));
  return {
    async convert(objects, apiVersion) {
      if (objects.every(isEmpty)) return nopConverter.convert(objects, apiVersion);
      const converted: KubeObject[] = [];
      while (converted.length < objects.length) {
        const batch = batchFrom(objects, converted.length);
        converted.push(...(await convertBatch(batch, { client, reviewVersion, apiVersion })));
      }
      return converted;
    },
  };
}

/**
 * Reports whether an object has only kind and apiVersion, as field managers may leave it. (isEmptyUnstructuredObject)
 */
const isEmpty = (object: KubeObject): boolean => Object.keys(object).length === 2 && 'kind' in object && 'apiVersion' in object;

/** The objects of one call, and their JSON. */
interface Batch {
  readonly objects: readonly KubeObject[];
  readonly encoded: readonly Uint8Array[];
}

function batchFrom(objects: readonly KubeObject[], start: number): Batch {
  const encoded: Uint8Array[] = [];
  let bytes = 0;
  for (let at = start; at < objects.length && encoded.length < maxBatchSize && bytes < maxBatchBytes; at++) {
    const one = encodeJson(objects[at]);
    encoded.push(one);
    bytes += one.length;
  }
  return { objects: objects.slice(start, start + encoded.length), encoded };
}

interface Conversion {
  readonly client: WebhookClient;
  readonly reviewVersion: string | undefined;
  /** The desired version. */
  readonly apiVersion: string;
}

/** A call of the webhook. */
interface ConversionCall {
  readonly uid: string;
  readonly reviewVersion: string;
  readonly apiVersion: string;
}

/**
 * Converts a batch. Upstream converts each object by itself, so a refused batch is repeated object by object, and the
 * first refusal is the error.
 */
async function convertBatch({ objects, encoded }: Batch, conversion: Conversion): Promise<KubeObject[]> {
  const { client, reviewVersion, apiVersion } = conversion;
  const fail = failureFor(elementAt(objects, 0));
  if (reviewVersion === undefined) throw plainError('no supported conversion review versions');
  const call: ConversionCall = { uid: randomUUID(), reviewVersion, apiVersion };
  const review = await client.post(encodeReview(encoded, call)).catch((error: Error) => {
    throw fail(`failed: ${error.message}`);
  });
  try {
    return validReview(review, call, objects);
  } catch (error) {
    if (objects.length === 1) throw error;
  }
  const converted: KubeObject[] = [];
  for (const [at, object] of objects.entries()) {
    converted.push(...(await convertBatch({ objects: [object], encoded: [elementAt(encoded, at)] }, conversion)));
  }
  return converted;
}

/** @throws StatusError 500 */
function validReview(review: JsonObject, call: ConversionCall, objects: readonly KubeObject[]): KubeObject[] {
  const fail = failureFor(elementAt(objects, 0));
  let converted: readonly Json[];
  try {
    converted = convertedObjects(review, call);
  } catch (error) {
    throw fail(`failed: ${messageOf(error)}`);
  }
  if (converted.length !== objects.length) {
    throw fail(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  return converted.map((object, at) => validConverted(elementAt(objects, at), object, { apiVersion: call.apiVersion, fail }));
}

function encodeReview(objects: readonly Uint8Array[], { uid, reviewVersion, apiVersion }: ConversionCall): Uint8Array {
  const review = {
    kind: reviewKind,
    apiVersion: `${group}/${reviewVersion}`,
    request: { uid, desiredAPIVersion: apiVersion, objects: [] },
  };
  const head = JSON.stringify(review).slice(0, -']}}'.length);
  const pieces: Uint8Array[] = [Buffer.from(head)];
  for (const [at, object] of objects.entries()) {
    if (at > 0) pieces.push(comma);
    pieces.push(object);
  }
  return Buffer.concat([...pieces, Buffer.from(']}}')]);
}

const comma = Buffer.from(',');

type Fail = (message: string) => StatusError;

function failureFor({ apiVersion = '', kind = '' }: KubeObject): Fail {
  const groupVersion = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const gvk = formatGroupVersionKind({ ...groupVersion, kind });
  return (message) => plainError(`conversion webhook for ${gvk} ${message}`);
}

/** (client-go rest/request.go Into, getConvertedObjectsFromResponse) */
function convertedObjects(review: JsonObject, { uid, reviewVersion }: ConversionCall): readonly Json[] {
  const { kind, apiVersion } = review;
  const sent = `${group}/${reviewVersion}`;
  if (kind && apiVersion) requireReview(String(apiVersion), String(kind), reviewVersion);
  const response = decodeConversionResponse(review, reviewVersion);
  if (reviewVersion === 'v1' && (apiVersion !== sent || kind !== reviewKind)) {
    const actual = `${apiVersion || '/'}, Kind=${kind ?? ''}`;
    throw new Error(`expected webhook response of ${sent}, Kind=${reviewKind}, got ${actual}`);
  }
  if (response === undefined) throw new Error('no response provided');
  if (reviewVersion === 'v1' && response.uid !== uid) {
    throw new Error(`expected response.uid=${quote(uid)}, got ${quote(response.uid)}`);
  }
  const { status, message } = response;
  if (status !== 'Success') throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  return response.convertedObjects;
}

/**
 * Requires a ConversionReview, because the scheme of upstream's webhook clients has no other kind. (apiserver
 * pkg/util/webhook/client.go)
 */
function requireReview(apiVersion: string, kind: string, expected: string): void {
  const known = supportedVersions.find((version) => apiVersion === `${group}/${version}` && kind === reviewKind);
  if (known === undefined) throw new Error(otherKindProblem(apiVersion, kind, `${expected}.${reviewKind}`, commonScheme));
  if (known === expected) return;
  throw new Error(`converting (${known}.${reviewKind}) to (${expected}.${reviewKind}): unknown conversion`);
}

interface ConvertedObjectContext {
  readonly apiVersion: string;
  readonly fail: Fail;
}

/** Returns a converted object with the metadata of the original. (validateConvertedObject, restoreObjectMeta) */
function validConverted(original: KubeObject, value: Json, { apiVersion, fail }: ConvertedObjectContext): KubeObject {
  const converted = unstructuredOf(value);
  const invalid = (reason: string): StatusError => fail(`returned invalid object at index 0: ${reason}`);
  if (converted.apiVersion !== apiVersion) {
    throw invalid(`invalid groupVersion (expected ${apiVersion}, received ${converted.apiVersion ?? ''})`);
  }
  if (converted.kind !== original.kind) {
    throw invalid(`invalid kind (expected ${original.kind}, received ${converted.kind ?? ''})`);
  }
  for (const [field, name] of unchangedFields) {
    const expected = textOf(original, field);
    const actual = textOf(converted, field);
    if (expected === actual) continue;
    throw fail(`returned invalid object: must have the same ${name}: ${expected} != ${actual}`);
  }
  const problem = restoreObjectMeta(original, converted);
  if (problem !== undefined) throw fail(`returned invalid metadata: ${problem}`);
  return converted;
}

/** @throws StatusError 500 if it has no kind (unstructured.UnmarshalJSON) */
function unstructuredOf(value: Json): KubeObject {
  if (value === null) throw plainError('unexpected end of JSON input');
  if (!isJsonObject(value)) {
    throw plainError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`);
  }
  if (typeof value.kind !== 'string' || value.kind === '') {
    throw plainError(`Object 'Kind' is missing in '${excerpt(stringifyJson(value))}'`);
  }
  return fromUnstructured(value);
}

/** Returns "" for a value that is no text. Objects of field managers may have no metadata. */
function textOf({ metadata }: Partial<KubeObject>, field: 'name' | 'namespace' | 'uid'): string {
  const value: unknown = isJsonObject(metadata) ? metadata[field] : undefined;
  return typeof value === 'string' ? value : '';
}

const unchangedFields = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
