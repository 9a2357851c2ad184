import type { ServiceAccounts } from '../../authentication/service-account/service-accounts.ts';
import type { JWTIssuers, JWTIssuersOptions } from '../../authentication/token/jwt-issuers.ts';
import { hasOIDCFlags } from '../../authentication/token/oidc/oidc-flags.ts';
import { audienceAgnostic, type TokenAuthenticator, unionTokenAuthenticator } from '../../authentication/token/token.ts';
import { readTokenFile } from '../../authentication/token/token-file.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { DelegatedRequests } from '../delegated/delegated-metrics.ts';
import type { DelegatedTokens } from '../delegated/tokens.ts';
import { type OwnTokensOptions, openOwnTokens } from './own-tokens.ts';
import { openTokenWebhook } from './token-webhook.ts';

export interface TokensOptions extends OwnTokensOptions {
  /** Metrics of requests to a delegate. Default: not measured. */
  readonly metrics?: DelegatedRequests;
}

/** The open token authenticators of a server. */
export interface OpenTokens {
  readonly accounts: ServiceAccounts;
  readonly tokens: TokenAuthenticator;
  readonly issuers?: JWTIssuers | undefined;
  readonly delegated?: DelegatedTokens;
}

/**
 * Opens token authenticators in the order in which they try a token. With a delegate, tokens of service accounts are
 * left to the delegate.
 */
export async function openTokens(given: TokensOptions, delegate?: ClientOptions): Promise<OpenTokens> {
  const { clock, logger } = given;
  const options = delegate === undefined ? given.options : { ...given.options, apiAudiences: given.options.apiAudiences ?? [] };
  const { accounts, own } = await openOwnTokens({ ...given, options });
  const { audiences } = accounts;
  const authenticators: TokenAuthenticator[] = [];
  if (options.tokenAuthFile !== undefined) {
    authenticators.push(audienceAgnostic(audiences, await readTokenFile(options.tokenAuthFile)));
  }
  if (delegate === undefined) authenticators.push(...own);
  const issuers = await openIssuers({ options, clock, logger, audiences, serviceAccountIssuers: accounts.issuers });
  if (issuers !== undefined) authenticators.push(issuers);
  if (delegate !== undefined) {
    const { delegatedTokens } = await import('../delegated/tokens.ts');
    const delegated = delegatedTokens({ config: delegate, options, clock, metrics: given.metrics });
    authenticators.push(delegated.authenticator);
    const tokens = unionTokenAuthenticator(authenticators);
    return { accounts: { ...accounts, openId: undefined }, issuers, delegated, tokens };
  }
  const webhook = await openTokenWebhook(options, clock, audiences);
  if (webhook !== undefined) authenticators.push(webhook);
  return { accounts, issuers, tokens: unionTokenAuthenticator(authenticators) };
}

/** Opens the JWT issuers. Loads their code only if any are configured. */
async function openIssuers(given: JWTIssuersOptions): Promise<JWTIssuers | undefined> {
  if (given.options.authenticationConfig === undefined && !hasOIDCFlags(given.options)) return undefined;
  const { JWTIssuers } = await import('../../authentication/token/jwt-issuers.ts');
  return JWTIssuers.open(given);
}
