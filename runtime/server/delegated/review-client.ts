import type { ClientOptions } from '../../client/options.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import { GenericWebhook } from '../../client/webhook/generic-webhook.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { TokenBucket } from '../../machinery/token-bucket.ts';
import type { DelegatedRequests } from './delegated-metrics.ts';

/** Milliseconds for which answers of the delegate are remembered, unless options say otherwise. */
export const reviewCacheTTL = 10_000;

/** Milliseconds that a review may take. (DelegatingAuthenticationOptions.TokenRequestTimeout, ClientTimeout) */
const reviewTimeout = 10_000;

/** Milliseconds before a review is repeated. (DefaultAuthWebhookRetryBackoff) */
const initialBackoff = 500;

/** Reviews a second, and at once after a pause: what strangers can make this server ask. (rest.Config QPS, Burst) */
const [rate, burst] = [200, 400];

/** Where reviews are posted. */
export interface ReviewClient {
  /** @throws as GenericWebhook.post */
  post(body: Uint8Array): Promise<JsonObject>;
  close(): void;
}

export interface ReviewClientOptions {
  readonly config: ClientOptions;
  /** As `authorization.k8s.io/v1/subjectaccessreviews`. */
  readonly resource: string;
  readonly clock: Clock;
  /** Default: requests are not measured. */
  readonly metrics?: DelegatedRequests | undefined;
}

/** Posts reviews to a resource of the delegate. */
export function openReviewClient({ config, resource, clock, metrics }: ReviewClientOptions): ReviewClient {
  const server = `${config.server.replace(/\/$/, '')}/apis/${resource}`;
  const backoff = defaultRetryBackoff(initialBackoff);
  const webhook = new GenericWebhook({
    config: { userAgent: 'kube-apiserver', ...config, server },
    clock,
    backoff,
    timeout: reviewTimeout,
    onCall: (status, seconds) => metrics?.observe(status, seconds),
  });
  const limit = new TokenBucket(rate, burst, clock);
  return {
    async post(body) {
      // waiting and repetitions have to end within that time, too
      const signal = AbortSignal.timeout(reviewTimeout);
      await limit.take(signal);
      return webhook.post(body, signal);
    },
    close: () => webhook.close(),
  };
}
