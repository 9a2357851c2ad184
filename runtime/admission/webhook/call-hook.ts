import { isResponseError } from '../../client/transport/rest-error.ts';
import type { WebhookClient } from '../../client/webhook/client.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isEventLoopBudgetError } from '../../machinery/event-loop/budget.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { Random } from '../../machinery/random.ts';
import { labelKey } from '../../machinery/validation/name-formats.ts';
import type { WebhookAccessor } from './accessor.ts';
import {
  type AdmissionResponse,
  encodeReview,
  isInvalidResponseError,
  type ReviewedWrite,
  reviewVersionOf,
  verifyAdmissionResponse,
} from './admission-review.ts';
import type { ClientManager } from './client-manager.ts';
import { CallingWebhookError, dryRunUnsupported, WebhookRejection } from './errors.ts';
import { responseLimits } from './response-limits.ts';

/** The dependencies of calls. */
export interface CallContext {
  readonly clients: ClientManager;
  readonly random: Random;
  readonly clock: Clock;
  readonly mutating: boolean;
}

const defaultTimeoutSeconds = 10;

/**
 * Sends a review to a webhook. Passes on the warnings and annotations of the response. (mutating callAttrMutatingHook,
 * validating callHook)
 *
 * @throws CallingWebhookError, WebhookRejection, StatusError if the webhook does not support dry run
 */
export async function callHook(
  hook: WebhookAccessor,
  write: ReviewedWrite,
  { clients, clock, random, mutating }: CallContext,
): Promise<AdmissionResponse> {
  const { name, sideEffects, admissionReviewVersions, clientConfig } = hook.webhook;
  const { attributes } = write;
  const fail = (reason: string, code: number): never => {
    throw new CallingWebhookError(name, reason, code);
  };
  if (attributes.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') throw dryRunUnsupported(name);
  const version = reviewVersionOf(admissionReviewVersions);
  if (version === undefined) {
    return fail('could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)', 400);
  }
  const identity = { uid: random.uuid('admission', name, attributes.name), version };
  let client: WebhookClient;
  try {
    client = clients.clientFor(clientConfig);
  } catch (error) {
    return fail(`could not get REST client: ${messageOf(error)}`, 500);
  }
  let sent: JsonObject;
  let response: AdmissionResponse;
  try {
    sent = await client.post(encodeReview(write, identity), {
      timeout: timeoutOf(hook, write, clock),
      ...responseLimits(mutating && write.objects.object !== undefined),
    });
    response = verifyAdmissionResponse(sent, identity, mutating);
  } catch (error) {
    if (isEventLoopBudgetError(error)) throw error;
    const { message } = error as Error;
    if (isInvalidResponseError(error)) return fail(`received invalid webhook response: ${message}`, 503);
    return fail(`failed to call webhook: ${message}`, (isResponseError(error) && error.failure.status) || 503);
  }
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    const qualified = `${name}/${key}`;
    // upstream logs that the key is wrong
    if (isAnnotationKey(qualified)) attributes.addAnnotation(qualified, value);
  }
  for (const text of response.warnings) attributes.warn(text);
  if (!response.allowed) throw new WebhookRejection(name, response.status);
  return response;
}

/** Returns the timeout in milliseconds: the webhook's, or the remaining time of the request. */
function timeoutOf({ webhook }: WebhookAccessor, { attributes }: ReviewedWrite, clock: Clock): number {
  const own = (webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
  const { deadline = Number.POSITIVE_INFINITY } = attributes;
  return Math.ceil(Math.max(1, Math.min(own, deadline - clock.now())));
}

/** (admission/attributes.go checkKeyFormat) */
const isAnnotationKey = (key: string): boolean => key.includes('/') && labelKey(key).length === 0;
