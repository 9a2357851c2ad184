import { CachedTokenAuthenticator } from '../../authentication/token/cache.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import { webhookTokenAuthenticator } from '../../authentication/token/webhook.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ServerOptions } from '../options.ts';
import { openReviewClient, reviewCacheTTL } from './review-client.ts';

export interface DelegatedTokens {
  readonly authenticator: TokenAuthenticator;
  close(): void;
}

/** Asks the delegate who the user of a token is. (authenticatorfactory.DelegatingAuthenticatorConfig) */
export function delegatedTokens(config: ClientOptions, options: ServerOptions, clock: Clock): DelegatedTokens {
  const webhook = openReviewClient(config, 'authentication.k8s.io/v1/tokenreviews', clock);
  const implicitAudiences = options.apiAudiences ?? [];
  const authenticator = webhookTokenAuthenticator({ webhook, version: 'v1', implicitAudiences });
  const ttl = options.authenticationTokenWebhookCacheTtl ?? reviewCacheTTL;
  return {
    authenticator: new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl }),
    close: () => webhook.close(),
  };
}
