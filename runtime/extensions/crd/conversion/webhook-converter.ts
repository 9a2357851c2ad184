import { randomUUID } from 'node:crypto';
import { encodeJson } from '../../../codec/json.ts';
import { plainError, type StatusError } from '../../../machinery/errors/status.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { formatGroupVersion, formatGroupVersionKind, parseGroupVersion } from '../../../machinery/gvk.ts';
import type { Json, KubeObject } from '../../../machinery/object.ts';
import type { ConversionSpec } from '../api-helpers.ts';
import type { Converter } from './converter.ts';
import { restoreObjectMeta } from './restore-object-meta.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { WebhookClient } from './webhook-client.ts';

type WebhookSpec = NonNullable<ConversionSpec['webhook']>;

/** How many objects are sent at once: enough that a large list is few calls, little enough for a call to be short. */
const batchSize = 500;
/** Bytes of objects after which none is added to a batch: what is sent and what comes back is held at once. */
const batchBytes = 2 * 1024 * 1024;
const group = 'apiextensions.k8s.io';
const spokenVersions = ['v1', 'v1beta1'];

/** Asks a webhook, with ConversionReviews of apiextensions.k8s.io. (pkg/apiserver/conversion/webhook_converter.go) */
export function webhookConverter(spec: WebhookSpec, resolve: ServiceResolver): Converter {
  const client = new WebhookClient(spec.clientConfig ?? {}, resolve);
  const reviewVersion = spec.conversionReviewVersions.find((version) => spokenVersions.includes(version));
  return {
    async convert(objects, apiVersion) {
      const converted: KubeObject[] = [];
      while (converted.length < objects.length) {
        const batch = batchFrom(objects, converted.length);
        converted.push(...(await convertBatch(client, reviewVersion, batch, apiVersion)));
      }
      return converted;
    },
  };
}

/** Objects that are sent in one call, and what is sent of them. */
interface Batch {
  readonly objects: readonly KubeObject[];
  readonly encoded: readonly Uint8Array[];
}

function batchFrom(objects: readonly KubeObject[], start: number): Batch {
  const encoded: Uint8Array[] = [];
  let bytes = 0;
  for (let at = start; at < objects.length && encoded.length < batchSize && bytes < batchBytes; at++) {
    const one = encodeJson(objects[at]);
    encoded.push(one);
    bytes += one.length;
  }
  return { objects: objects.slice(start, start + encoded.length), encoded };
}

async function convertBatch(
  client: WebhookClient,
  reviewVersion: string | undefined,
  { objects, encoded }: Batch,
  apiVersion: string,
): Promise<KubeObject[]> {
  const fail = failureFor(objects[0]);
  if (reviewVersion === undefined) throw plainError('no supported conversion review versions');
  const uid = randomUUID();
  let answer: Json;
  try {
    answer = await client.post(reviewOf(encoded, { uid, reviewVersion, apiVersion }));
  } catch (error) {
    throw fail(`failed: ${(error as Error).message}`);
  }
  const converted = objectsOf(answer, uid, reviewVersion, (why) => fail(`failed: ${why}`));
  if (converted.length !== objects.length) {
    throw fail(`returned ${converted.length} objects, expected ${objects.length}`);
  }
  const place = objects.length === 1 ? undefined : (index: number) => ` at index ${index}`;
  return converted.map((object, index) => checked(objects[index], object, apiVersion, place?.(index), fail));
}

/** A ConversionReview as it is sent. */
function reviewOf(
  objects: readonly Uint8Array[],
  { uid, reviewVersion, apiVersion }: { uid: string; reviewVersion: string; apiVersion: string },
): Uint8Array {
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

type Fail = (what: string) => StatusError;

function failureFor({ apiVersion = '', kind = '' }: KubeObject): Fail {
  const groupVersion = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  return (what) => plainError(`conversion webhook for ${formatGroupVersionKind({ ...groupVersion, kind })} ${what}`);
}

interface Review {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly response?: {
    readonly uid?: unknown;
    readonly convertedObjects?: readonly unknown[] | null;
    readonly result?: { readonly status?: unknown; readonly message?: unknown };
  };
}

function objectsOf(answer: Json, uid: string, reviewVersion: string, fail: Fail): readonly unknown[] {
  const { kind = '', apiVersion = '', response } = (answer ?? {}) as Review;
  if (reviewVersion === 'v1') {
    const wanted = `${formatGroupVersion({ group, version: 'v1' })}, Kind=ConversionReview`;
    const got = `${apiVersion}, Kind=${kind}`;
    if (got !== wanted) throw fail(`expected webhook response of ${wanted}, got ${got}`);
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

/** @param place of one among several; undefined for one alone, of which upstream speaks in other words */
function checked(
  original: KubeObject,
  value: unknown,
  apiVersion: string,
  place: string | undefined,
  fail: Fail,
): KubeObject {
  const what = place === undefined ? 'invalid object at index 0' : `invalid converted object${place}`;
  const invalid = (why: string): StatusError => fail(`returned ${what}: ${why}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid("Object 'Kind' is missing");
  const converted = value as KubeObject;
  if (converted.apiVersion !== apiVersion) {
    throw invalid(`invalid groupVersion (expected ${apiVersion}, received ${converted.apiVersion ?? ''})`);
  }
  if (converted.kind !== original.kind) {
    throw invalid(`invalid kind (expected ${original.kind}, received ${converted.kind ?? ''})`);
  }
  for (const [field, words] of unchanged) {
    const expected = original.metadata[field] ?? '';
    const received = converted.metadata?.[field] ?? '';
    if (expected === received) continue;
    const which = place === undefined ? 'invalid object' : what;
    throw fail(`returned ${which}: must have the same ${words}: ${expected} != ${received}`);
  }
  const problem = restoreObjectMeta(original, converted);
  if (problem !== undefined)
    throw fail(`returned invalid metadata${place === undefined ? '' : ` in object${place}`}: ${problem}`);
  return converted;
}

const unchanged = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
