import type { AuthorizationConfiguration, WebhookConfiguration } from '../../authorization/configuration/authorization-configuration.ts';
import { authorizerName } from '../../authorization/configuration/load.ts';
import { validateAuthorizationModes } from '../../authorization/modes.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';

const defaultModes: readonly string[] = ['RBAC'];

/** Nanoseconds. */
const millisecond = 1_000_000n;

/** Reports whether a configuration file replaces all other options. */
export function usesConfigurationFile(options: ServerOptions): boolean {
  if (options.authorizationConfig === undefined) return false;
  const { authorizationMode, authorizationWebhookConfigFile } = options;
  if (authorizationMode === undefined && authorizationWebhookConfigFile === undefined) return true;
  throw new OptionError(
    '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  );
}

/**
 * Converts the flags of older releases to a configuration. (kubernetes pkg/kubeapiserver/options/authorization.go
 * buildAuthorizationConfiguration)
 *
 * @throws OptionError for modes that are unknown, repeated, or lack their file
 */
export function configurationFromFlags(options: ServerOptions): AuthorizationConfiguration {
  const { authorizationMode: modes = defaultModes, authorizationWebhookConfigFile } = options;
  const problem = validateAuthorizationModes(modes, authorizationWebhookConfigFile);
  if (problem !== undefined) throw new OptionError(`--authorization-mode: ${problem}`);
  return {
    authorizers: modes.map((type) => ({
      type,
      name: authorizerName(type),
      ...(type === 'Webhook' ? { webhook: webhookFromFlags(options) } : {}),
    })),
  };
}

function webhookFromFlags(options: ServerOptions): WebhookConfiguration {
  const { authorizationWebhookCacheAuthorizedTTL = 300_000, authorizationWebhookCacheUnauthorizedTTL = 30_000 } = options;
  return {
    authorizedTTL: BigInt(authorizationWebhookCacheAuthorizedTTL) * millisecond,
    cacheAuthorizedRequests: true,
    unauthorizedTTL: BigInt(authorizationWebhookCacheUnauthorizedTTL) * millisecond,
    cacheUnauthorizedRequests: true,
    timeout: 30_000n * millisecond,
    subjectAccessReviewVersion: options.authorizationWebhookVersion ?? 'v1beta1',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: options.authorizationWebhookConfigFile },
  };
}
