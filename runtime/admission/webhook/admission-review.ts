import { admissionScheme, otherKindProblem } from '../../client/webhook/review.ts';
import { listOf, mapOf, type Reader, struct } from '../../codec/configuration.ts';
import { encodeJson } from '../../codec/json.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import type { Status, StatusCause, StatusDetails } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { bool, bytes, int32, string } from '../../machinery/prune/values.ts';
import { createAdmissionRequest } from '../cel/admission-request.ts';
import type { VersionedObjects } from '../conversion.ts';
import type { MatchedResource } from '../predicates/match-rules.ts';

/*
 * AdmissionReview of admission.k8s.io, in both directions. Its two versions have the same members. (apiserver
 * pkg/admission/plugin/webhook/request)
 */

const group = 'admission.k8s.io';
const reviewKind = 'AdmissionReview';
const reviewVersions = ['v1', 'v1beta1'] as const;
export type ReviewVersion = (typeof reviewVersions)[number];

/** Returns the first version that the webhook accepts and this server supports. */
export const reviewVersionOf = (accepted: readonly string[]): ReviewVersion | undefined =>
  accepted.find((version): version is ReviewVersion => reviewVersions.includes(version as ReviewVersion));

/** The content of one review. */
export interface ReviewedWrite {
  readonly attributes: Attributes;
  readonly matched: MatchedResource;
  readonly objects: VersionedObjects;
}

/** The identity of a review, which its response must repeat. */
export interface ReviewIdentity {
  readonly uid: string;
  readonly version: ReviewVersion;
}

export function encodeReview({ attributes, matched, objects }: ReviewedWrite, { uid, version }: ReviewIdentity): Uint8Array {
  const request = createAdmissionRequest(attributes, { kind: matched.kind, resource: matched.facts });
  const { object = null, oldObject = null } = objects;
  return encodeJson({
    kind: reviewKind,
    apiVersion: `${group}/${version}`,
    request: { uid, ...request, object, oldObject },
  });
}

/** The verified response of a review. (request.AdmissionResponse) */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: Partial<Status> | undefined;
  /** A patch, as the webhook sent it; undefined for none. */
  readonly patch?: Buffer | undefined;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

interface SentResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: Partial<Status>;
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

interface SentReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly response?: SentResponse;
}

/**
 * Reads and verifies the response of a review. (client-go rest/request.go Into, VerifyAdmissionResponse)
 *
 * @throws DecodeError if it is not an AdmissionReview; InvalidResponseError if it is a wrong one
 */
export function verifyAdmissionResponse(sent: JsonObject, { uid, version }: ReviewIdentity, mutating: boolean): AdmissionResponse {
  if (sent.kind && sent.apiVersion) requireReview(String(sent.apiVersion), String(sent.kind), version);
  const { response, kind = '', apiVersion = '' } = readers[version](sent, new PruneContext(), '');
  if (response === undefined) throw new InvalidResponseError('webhook response was absent');
  if (version === 'v1') verifyV1(response, { uid, kind, apiVersion, mutating });
  const { allowed = false, status, auditAnnotations = {}, warnings = [] } = response;
  const patch = mutating && response.patch ? Buffer.from(response.patch, 'base64') : undefined;
  // upstream never verified the type of a v1beta1 patch
  const patchType = version === 'v1' ? (response.patchType ?? '') : 'JSONPatch';
  return { allowed, status, patch, patchType, auditAnnotations, warnings };
}

/** A response that is an AdmissionReview, but does not match the request. */
export class InvalidResponseError extends Error {
  readonly isInvalidResponse = true;
}

export const isInvalidResponseError = (error: unknown): error is InvalidResponseError =>
  (error as InvalidResponseError | undefined)?.isInvalidResponse === true;

interface ExpectedResponse {
  readonly uid: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly mutating: boolean;
}

function verifyV1(response: SentResponse, { uid, kind, apiVersion, mutating }: ExpectedResponse): void {
  const fail = (message: string): never => {
    throw new InvalidResponseError(message);
  };
  const { patch, patchType } = response;
  if (response.uid !== uid) fail(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`);
  if (apiVersion !== `${group}/v1` || kind !== reviewKind) {
    fail(`expected webhook response of ${group}/v1, Kind=${reviewKind}, got ${goString(apiVersion)}, Kind=${kind}`);
  }
  if (!mutating) {
    if (patch) fail('validating webhook may not return response.patch');
    if (patchType !== undefined) fail('validating webhook may not return response.patchType');
    return;
  }
  if (patch && patchType === undefined) fail('webhook returned response.patch but not response.patchType');
  if (!patch && patchType !== undefined) fail('webhook returned response.patchType but not response.patch');
  if (patchType === '') fail(`webhook returned invalid response.patchType of ${quote('')}`);
}

/** Returns a group and version as Go prints them. */
const goString = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion : `/${apiVersion}`);

/**
 * Accepts only reviews, because the scheme of upstream's webhook clients has no other types. (apiserver
 * pkg/util/webhook/client.go)
 */
function requireReview(apiVersion: string, kind: string, expected: ReviewVersion): void {
  const known = reviewVersions.find((version) => apiVersion === `${group}/${version}` && kind === reviewKind);
  if (known === undefined) throw new DecodeError(otherKindProblem(apiVersion, kind, `${expected}.${reviewKind}`, admissionScheme));
  if (known !== expected) {
    throw new DecodeError(`converting (${known}.${reviewKind}) to (${expected}.${reviewKind}): unknown conversion`);
  }
}

const ignored: Reader<never> = (value) => value as never;

const statusCause = struct<StatusCause>('v1.StatusCause', { reason: string, message: string, field: string });
const statusDetails = struct<StatusDetails>('v1.StatusDetails', {
  name: string,
  group: string,
  kind: string,
  uid: string,
  retryAfterSeconds: int32,
  causes: (value, context, field) => [...listOf('v1.StatusCause', statusCause)(value, context, field)],
});
const status = struct<Partial<Status>>('v1.Status', {
  kind: ignored,
  apiVersion: ignored,
  metadata: ignored,
  status: ignored,
  message: string,
  reason: string,
  details: statusDetails,
  code: int32,
});

function reader(version: ReviewVersion): Reader<SentReview> {
  const response = struct<SentResponse>(`${version}.AdmissionResponse`, {
    uid: string,
    allowed: bool,
    status,
    patchType: string,
    patch: (value, context, field) => bytes(value, context, field) ?? '',
    auditAnnotations: mapOf('string', string),
    warnings: listOf('string', string),
  });
  return struct<SentReview>(`${version}.AdmissionReview`, { apiVersion: string, kind: string, response });
}

const readers: Readonly<Record<ReviewVersion, Reader<SentReview>>> = { v1: reader('v1'), v1beta1: reader('v1beta1') };
