import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import { defaultRetryBackoff } from '../../webhook/backoff.ts';
import { GenericWebhook } from '../../webhook/generic-webhook.ts';

/** Milliseconds for which answers of the delegate are remembered, unless options say otherwise. */
export const reviewCacheTTL = 10_000;

/** Milliseconds that a review may take. (DelegatingAuthenticationOptions.TokenRequestTimeout, ClientTimeout) */
export const reviewTimeout = 10_000;

/** Milliseconds before a review is repeated. (DefaultAuthWebhookRetryBackoff) */
const initialBackoff = 500;

/** Posts reviews to a resource of the delegate, as `authorization.k8s.io/v1/subjectaccessreviews`. */
export function openReviewWebhook(config: ClientOptions, resource: string, clock: Clock): GenericWebhook {
  const server = `${config.server.replace(/\/$/, '')}/apis/${resource}`;
  const backoff = defaultRetryBackoff(initialBackoff);
  return new GenericWebhook({ config: { ...config, server }, clock, backoff, timeout: reviewTimeout });
}
