import type { ClientOptions } from '../../client/options.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import { GenericWebhook } from '../../client/webhook/generic-webhook.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { TokenBucket } from '../../machinery/token-bucket.ts';
import type { DelegatedRequests } from './delegated-metrics.ts';

/** Milliseconds for which the delegate's responses are cached. Default of options. */
export const reviewCacheTTL = 10_000;

/** Milliseconds for a review. (DelegatingAuthenticationOptions.TokenRequestTimeout, ClientTimeout) */
const reviewTimeout = 10_000;

/** Milliseconds before the first retry of a review. (DefaultAuthWebhookRetryBackoff) */
const initialBackoff = 500;

/**
 * Reviews per second, and the burst after a pause. They limit the load that strangers can cause. (rest.Config QPS,
 * Burst)
 */
const [rate, burst] = [200, 400];

/** Posts reviews. */
export interface ReviewClient {
  /** @throws as GenericWebhook.post */
  post(body: Uint8Array): Promise<JsonObject>;
  close(): void;
}

export interface ReviewClientOptions {
  readonly config: ClientOptions;
  /** For example `authorization.k8s.io/v1/subjectaccessreviews`. */
  readonly resource: string;
  readonly clock: Clock;
  /** Default: requests are not measured. */
  readonly metrics?: DelegatedRequests | undefined;
}

/** Opens a client that posts reviews to a resource of the delegate. */
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
      // includes waiting and retries
      const signal = AbortSignal.timeout(reviewTimeout);
      await limit.take(signal);
      return webhook.post(body, signal);
    },
    close: () => webhook.close(),
  };
}
