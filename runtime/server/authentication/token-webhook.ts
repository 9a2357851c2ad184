import { CachedTokenAuthenticator } from '../../authentication/token/cache.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import { tokenReviewVersions, webhookTokenAuthenticator } from '../../authentication/token/webhook.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import type { Clock } from '../../machinery/clock.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';

const twoMinutes = 120_000;

/**
 * Opens the webhook that reviews tokens; undefined if none is configured.
 *
 * @throws OptionError for an unknown version or an invalid kubeconfig
 */
export async function openTokenWebhook(
  options: ServerOptions,
  clock: Clock,
  implicitAudiences: readonly string[],
): Promise<TokenAuthenticator | undefined> {
  const { authenticationTokenWebhookConfigFile: path, authenticationTokenWebhookCacheTtl: ttl = twoMinutes } = options;
  if (path === undefined) return undefined;
  const wanted = options.authenticationTokenWebhookVersion ?? 'v1beta1';
  const version = tokenReviewVersions.find((known) => known === wanted);
  if (version === undefined) {
    throw new OptionError(`unsupported authentication webhook version "${wanted}", supported versions are "v1", "v1beta1"`);
  }
  const [{ GenericWebhook }, { loadWebhookKubeconfig }] = await Promise.all([
    import('../../client/webhook/generic-webhook.ts'),
    import('../../client/webhook/kubeconfig.ts'),
  ]);
  const config = await loadWebhookKubeconfig(path).catch((error: Error) => {
    throw new OptionError(`--authentication-token-webhook-config-file: ${error.message}`);
  });
  const webhook = new GenericWebhook({ config, clock, backoff: defaultRetryBackoff(500) });
  const authenticator = webhookTokenAuthenticator({ webhook, version, implicitAudiences });
  return new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl });
}
