import { CachedTokenAuthenticator } from '../../authentication/token/cache.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import { webhookTokenAuthenticator } from '../../authentication/token/webhook.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { openReviewClient, type ReviewClientOptions, reviewCacheTTL } from './review-client.ts';

export interface DelegatedTokensOptions extends Pick<ReviewClientOptions, 'config' | 'clock' | 'metrics'> {
  readonly options: ServerOptions;
}

export interface DelegatedTokens {
  readonly authenticator: TokenAuthenticator;
  close(): void;
}

/**
 * Returns an authenticator that asks the delegate for the user of a token.
 * (authenticatorfactory.DelegatingAuthenticatorConfig)
 */
export function delegatedTokens({ options, ...given }: DelegatedTokensOptions): DelegatedTokens {
  const { clock } = given;
  const webhook = openReviewClient({ ...given, resource: 'authentication.k8s.io/v1/tokenreviews' });
  const implicitAudiences = options.apiAudiences ?? [];
  const authenticator = webhookTokenAuthenticator({ webhook, version: 'v1', implicitAudiences });
  const ttl = options.authenticationTokenWebhookCacheTtl ?? reviewCacheTTL;
  return {
    authenticator: new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl }),
    close: () => webhook.close(),
  };
}
