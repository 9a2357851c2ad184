import type { Authorizer } from '../../authorization/authorizer.ts';
import { privilegedGroups } from '../../authorization/builtin.ts';
import { pathAuthorizer } from '../../authorization/path.ts';
import { unionAuthorizer } from '../../authorization/union.ts';
import { webhookAuthorizer } from '../../authorization/webhook/webhook-authorizer.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ServerOptions } from '../../options/server-options.ts';
import { delegateConfig } from './config.ts';
import type { DelegatedRequests } from './delegated-metrics.ts';
import { openReviewClient, reviewCacheTTL } from './review-client.ts';

export interface DelegatedAuthorizerOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  /** Default: requests are not measured. */
  readonly metrics?: DelegatedRequests;
}

export interface DelegatedAuthorizer {
  readonly authorizer: Authorizer;
  close(): void;
}

/** Paths that everybody may request, so that health checks need no delegate. */
const alwaysAllowPaths: readonly string[] = ['/healthz', '/readyz', '/livez'];

/**
 * Opens an authorizer that asks the delegate, except for system:masters and for paths that are always allowed.
 * (DelegatingAuthorizationOptions.toAuthorizer)
 *
 * @throws OptionError if the kubeconfig cannot be used; Error for an invalid path
 */
export async function openDelegatedAuthorizer(given: DelegatedAuthorizerOptions): Promise<DelegatedAuthorizer> {
  const { options, clock, metrics } = given;
  const paths = pathAuthorizer(options.authorizationAlwaysAllowPaths ?? alwaysAllowPaths);
  const config = await delegateConfig('delegated authorization', options.authorizationKubeconfig);
  const resource = 'authorization.k8s.io/v1/subjectaccessreviews';
  const webhook = openReviewClient({ config, resource, clock, metrics });
  const delegate = webhookAuthorizer({
    webhook,
    clock,
    version: 'v1',
    decisionOnError: 'no-opinion',
    authorizedTTL: options.authorizationWebhookCacheAuthorizedTTL ?? reviewCacheTTL,
    unauthorizedTTL: options.authorizationWebhookCacheUnauthorizedTTL ?? reviewCacheTTL,
  });
  return { authorizer: unionAuthorizer([privilegedGroups, paths, delegate]), close: () => webhook.close() };
}
