import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import { requireReview } from '../../client/webhook/review.ts';
import { type Reader, struct } from '../../codec/configuration.ts';
import type { Clock } from '../../machinery/clock.ts';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { bool, string } from '../../machinery/prune/values.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../authorizer.ts';
import { type MatchProgram, matchesAll } from './match-conditions.ts';
import { subjectAccessReviewSpec, v1beta1Spec } from './subject-access-review.ts';

/** The part of a GenericWebhook that an authorizer uses. */
export interface ReviewWebhook {
  post(body: Uint8Array): Promise<JsonObject>;
}

export interface WebhookAuthorizerOptions {
  readonly webhook: ReviewWebhook;
  /** The version of SubjectAccessReview that is sent. */
  readonly version: 'v1' | 'v1beta1';
  /** Milliseconds for which allowed decisions are cached; 0 for no caching. */
  readonly authorizedTTL: number;
  readonly unauthorizedTTL: number;
  /** The decision if the webhook fails, or a condition has an error. (failurePolicy) */
  readonly decisionOnError: 'deny' | 'no-opinion';
  /** The webhook is called only if all conditions hold. Default: none. */
  readonly matchConditions?: readonly MatchProgram[];
  readonly clock: Pick<Clock, 'now'>;
}

interface CachedStatus {
  readonly status: SubjectAccessReviewStatus;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}

const maxCached = 8192;
/** The maximum characters of client-chosen attributes in a cached review. */
const maxControlledLength = 10_000;

/** Authorizes requests with a webhook's SubjectAccessReview. (apiserver plugin/pkg/authorizer/webhook) */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { webhook, version, clock, decisionOnError, matchConditions = [] } = options;
  const cache = new BoundedMap<string, CachedStatus>(maxCached);
  const failed = (error: unknown): AuthorizerDecision => ({
    decision: decisionOnError,
    reason: '',
    evaluationError: error instanceof Error ? error.message : String(error),
  });

  async function ask(spec: SubjectAccessReviewSpec): Promise<SubjectAccessReviewStatus> {
    const sent = version === 'v1' ? spec : v1beta1Spec(spec);
    const apiVersion = `authorization.k8s.io/${version}`;
    const review = { kind: 'SubjectAccessReview', apiVersion, metadata: {}, spec: sent, status: { allowed: false } };
    return statusOf(await webhook.post(Buffer.from(JSON.stringify(review))), version);
  }

  return {
    authorize(attributes) {
      const spec = subjectAccessReviewSpec(attributes);
      try {
        if (!matchesAll(matchConditions, spec)) return { decision: 'no-opinion', reason: '' };
      } catch (error) {
        return failed(error);
      }
      const key = JSON.stringify(spec);
      const cached = cache.get(key);
      if (cached !== undefined && clock.now() < cached.expires) return decisionOf(cached.status);
      return ask(spec).then((status) => {
        const ttl = status.allowed ? options.authorizedTTL : options.unauthorizedTTL;
        if (ttl > 0 && canCache(attributes)) cache.set(key, { status, expires: clock.now() + ttl });
        return decisionOf(status);
      }, failed);
    },
    rulesFor: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }),
  };
}

type Version = WebhookAuthorizerOptions['version'];

const readers: Readonly<Record<Version, Reader<{ readonly status?: SubjectAccessReviewStatus }>>> = {
  v1: reader('v1'),
  v1beta1: reader('v1beta1'),
};

function reader(version: Version): Reader<{ readonly status?: SubjectAccessReviewStatus }> {
  return struct(`${version}.SubjectAccessReview`, {
    status: struct<SubjectAccessReviewStatus>(`${version}.SubjectAccessReviewStatus`, {
      allowed: bool,
      denied: bool,
      reason: string,
      evaluationError: string,
    }),
  });
}

/** @throws DecodeError if the response is not a review of the version */
function statusOf(review: JsonObject, version: Version): SubjectAccessReviewStatus {
  requireReview(review, { group: 'authorization.k8s.io', version, kind: 'SubjectAccessReview' });
  return readers[version](review, new PruneContext(), '').status ?? { allowed: false };
}

function decisionOf({ allowed, denied, reason = '' }: SubjectAccessReviewStatus): AuthorizerDecision {
  if (denied && allowed) {
    const evaluationError = 'webhook subject access review returned both allow and deny response';
    return { decision: 'deny', reason, evaluationError };
  }
  return { decision: denied ? 'deny' : allowed ? 'allow' : 'no-opinion', reason };
}

function canCache(attributes: AuthorizerAttributes): boolean {
  const { namespace, verb, group, version, resource, subresource, name, path } = attributes;
  const parts = [namespace, verb, group, version, resource, subresource, name, path];
  return parts.reduce((length, part) => length + part.length, 0) < maxControlledLength;
}
