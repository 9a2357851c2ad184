import type { Backend } from '../../audit/backend.ts';
import type { PluginErrors } from '../../audit/plugin-errors.ts';
import { WebhookBackend } from '../../audit/webhook.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import { GenericWebhook } from '../../client/webhook/generic-webhook.ts';
import { loadWebhookKubeconfig } from '../../client/webhook/kubeconfig.ts';
import { orOptionError } from '../../machinery/options/or-option-error.ts';
import type { AuditConfig } from './audit-config.ts';
import type { AuditBackendOptions } from './backend-options.ts';
import { withMode, withTruncation } from './delivery.ts';

/** @throws OptionError for an invalid kubeconfig */
export async function openWebhook(
  { options, clock }: AuditConfig,
  backendOptions: AuditBackendOptions,
  errors: PluginErrors,
): Promise<Backend> {
  const { auditWebhookConfigFile: path = '', auditWebhookInitialBackoff: initial = 10_000 } = options;
  const backoff = defaultRetryBackoff(initial);
  const webhook = await orOptionError('initializing audit webhook: ', async () => {
    return new GenericWebhook({ config: await loadWebhookKubeconfig(path), backoff, clock });
  });
  const backend = new WebhookBackend({ webhook, backoff, clock, errors });
  return withTruncation(withMode(backend, backendOptions, { clock, errors, asyncDelegate: true }), backendOptions, errors);
}
