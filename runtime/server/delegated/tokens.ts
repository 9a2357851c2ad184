import { CachedTokenAuthenticator } from '../../authentication/token/cache.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import { webhookTokenAuthenticator } from '../../authentication/token/webhook.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ServerOptions } from '../options.ts';
import { openReviewWebhook, reviewCacheTTL, reviewTimeout } from './review-webhook.ts';

export interface DelegatedTokens {
  readonly authenticator: TokenAuthenticator;
  close(): void;
}

/** Asks the delegate who the user of a token is. (authenticatorfactory.DelegatingAuthenticatorConfig) */
export function delegatedTokens(config: ClientOptions, options: ServerOptions, clock: Clock): DelegatedTokens {
  const client = openReviewWebhook(config, 'authentication.k8s.io/v1/tokenreviews', clock);
  // the repetitions have to end within that time, too
  const webhook = { post: (body: Uint8Array) => client.post(body, AbortSignal.timeout(reviewTimeout)) };
  const implicitAudiences = options.apiAudiences ?? [];
  const authenticator = webhookTokenAuthenticator({ webhook, version: 'v1', implicitAudiences });
  const ttl = options.authenticationTokenWebhookCacheTtl ?? reviewCacheTTL;
  return {
    authenticator: new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl }),
    close: () => client.close(),
  };
}
