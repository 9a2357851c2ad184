import { randomUUID } from 'node:crypto';
import type { WebhookConversion } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { encodeJson } from '../../../codec/json.ts';
import { plainError, type StatusError } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { formatGroupVersion, formatGroupVersionKind, parseGroupVersion } from '../../../machinery/gvk.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import { fromUnstructured, type Json, type KubeObject } from '../../../machinery/object.ts';
import { WebhookClient } from '../../../webhook/client.ts';
import type { ServiceResolver } from '../../../webhook/service-resolver.ts';
import { type Converter, nopConverter } from './converter.ts';
import { restoreObjectMeta } from './restore-object-meta.ts';

/** How many objects a call converts at most: a large list needs few calls, and each call stays short. */
const maxBatchSize = 500;
/** A batch with this many bytes gets no more objects, because request and response are in memory at once. */
const maxBatchBytes = 2 * 1024 * 1024;
const group = 'apiextensions.k8s.io';
const supportedVersions = ['v1', 'v1beta1'];

/** Converts by sending ConversionReviews to a webhook. (pkg/apiserver/conversion/webhook_converter.go) */
export function webhookConverter(spec: WebhookConversion, resolve: ServiceResolver): Converter {
  const client = new WebhookClient(spec.clientConfig ?? {}, resolve);
  const reviewVersion = spec.conversionReviewVersions.find((version) => supportedVersions.includes(version));
  return {
    async convert(objects, apiVersion) {
      if (objects.every(isEmpty)) return nopConverter.convert(objects, apiVersion);
      const converted: KubeObject[] = [];
      while (converted.length < objects.length) {
        const batch = batchFrom(objects, converted.length);
        converted.push(...(await convertBatch(client, reviewVersion, batch, apiVersion)));
      }
      return converted;
    },
  };
}

/** Managers of fields may leave nothing else of an object. (isEmptyUnstructuredObject) */
const isEmpty = (object: KubeObject): boolean =>
  Object.keys(object).length === 2 && 'kind' in object && 'apiVersion' in object;

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

/** A call of the webhook. */
interface ConversionCall {
  readonly uid: string;
  readonly reviewVersion: string;
  /** The desired version. */
  readonly apiVersion: string;
}

async function convertBatch(
  client: WebhookClient,
  reviewVersion: string | undefined,
  { objects, encoded }: Batch,
  apiVersion: string,
): Promise<KubeObject[]> {
  const fail = failureFor(objects[0]);
  if (reviewVersion === undefined) throw plainError('no supported conversion review versions');
  const call: ConversionCall = { uid: randomUUID(), reviewVersion, apiVersion };
  let response: Json;
  try {
    response = await client.post(encodeReview(encoded, call));
  } catch (error) {
    throw fail(`failed: ${(error as Error).message}`);
  }
  const converted = convertedObjects(response, call, (reason) => fail(`failed: ${reason}`));
  if (converted.length !== objects.length) {
    throw fail(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  const index = (at: number): string | undefined => (objects.length === 1 ? undefined : ` at index ${at}`);
  return converted.map((object, at) => validConverted(objects[at], object, { apiVersion, index: index(at), fail }));
}

function encodeReview(objects: readonly Uint8Array[], { uid, reviewVersion, apiVersion }: ConversionCall): Uint8Array {
  const review = {
    kind: 'ConversionReview',
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

/** A ConversionReview as it comes from the webhook. */
interface ReviewResponse {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly response?: {
    readonly uid?: unknown;
    readonly convertedObjects?: readonly unknown[] | null;
    readonly result?: { readonly status?: unknown; readonly message?: unknown };
  };
}

/** (getConvertedObjectsFromResponse) */
function convertedObjects(review: Json, { uid, reviewVersion }: ConversionCall, fail: Fail): readonly unknown[] {
  const { kind = '', apiVersion = '', response } = (review ?? {}) as ReviewResponse;
  if (reviewVersion === 'v1') {
    const expected = `${formatGroupVersion({ group, version: 'v1' })}, Kind=ConversionReview`;
    const actual = `${apiVersion}, Kind=${kind}`;
    if (actual !== expected) throw fail(`expected webhook response of ${expected}, got ${actual}`);
  }
  if (response === undefined || response === null) throw fail('no response provided');
  if (reviewVersion === 'v1' && response.uid !== uid) {
    throw fail(`expected response.uid=${quote(uid)}, got ${quote(String(response.uid ?? ''))}`);
  }
  const { status = '', message = '' } = response.result ?? {};
  if (status !== 'Success') {
    throw fail(message === '' ? `response.result.status was '${status}', not 'Success'` : String(message));
  }
  return response.convertedObjects ?? [];
}

interface ConvertedObjectContext {
  readonly apiVersion: string;
  /** " at index 3"; undefined for a single object, for which upstream has other messages. */
  readonly index: string | undefined;
  readonly fail: Fail;
}

/** Returns a converted object with the metadata of the original. (validateConvertedObject, restoreObjectMeta) */
function validConverted(original: KubeObject, value: unknown, context: ConvertedObjectContext): KubeObject {
  const { apiVersion, index, fail } = context;
  const subject = index === undefined ? 'invalid object at index 0' : `invalid converted object${index}`;
  const invalid = (reason: string): StatusError => fail(`returned ${subject}: ${reason}`);
  if (!isJsonObject(value)) throw invalid("Object 'Kind' is missing");
  const converted = fromUnstructured(value);
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
    const which = index === undefined ? 'invalid object' : subject;
    throw fail(`returned ${which}: must have the same ${name}: ${expected} != ${actual}`);
  }
  const problem = restoreObjectMeta(original, converted);
  if (problem !== undefined) {
    throw fail(`returned invalid metadata${index === undefined ? '' : ` in object${index}`}: ${problem}`);
  }
  return converted;
}

/** Empty if it is no text. What managers of fields convert may have no metadata. */
function textOf({ metadata }: Partial<KubeObject>, field: 'name' | 'namespace' | 'uid'): string {
  const value: unknown = isJsonObject(metadata) ? metadata[field] : undefined;
  return typeof value === 'string' ? value : '';
}

const unchangedFields = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
