import { UnionBackend } from '../../audit/backend.ts';
import { PluginErrors } from '../../audit/plugin-errors.ts';
import { PolicyRuleEvaluator } from '../../audit/policy/checker.ts';
import { loadPolicyFromFile } from '../../audit/policy/reader.ts';
import type { AuditFilterOptions } from '../../filters/audit.ts';
import type { Logger } from '../../machinery/logger.ts';
import { orOptionError } from '../../machinery/options/or-option-error.ts';
import type { AuditConfig } from './audit-config.ts';
import { backendOptions, logDefaults, validateBackend, validateLog, webhookDefaults } from './backend-options.ts';
import { openLog } from './log.ts';
import { openWebhook } from './webhook.ts';

/**
 * Loads the policy and opens the backends. Returns undefined if there is no policy, or no backend.
 *
 * @throws OptionError
 */
export async function openAudit(config: AuditConfig): Promise<AuditFilterOptions | undefined> {
  const { options, clock, logger, metrics } = config;
  const log = backendOptions(options, 'auditLog', logDefaults);
  const webhook = backendOptions(options, 'auditWebhook', webhookDefaults);
  validateLog(options, log);
  validateBackend('webhook', webhook);
  const policy = await loadPolicy(options.auditPolicyFile, logger);
  if (policy === undefined) return undefined;
  const errors = new PluginErrors(metrics, logger);
  const backends = [
    ...(options.auditLogPath ? [openLog(config, log, errors)] : []),
    ...(options.auditWebhookConfigFile ? [await openWebhook(config, webhook, errors)] : []),
  ];
  if (backends.length === 0) return undefined;
  const [only, ...others] = backends;
  const backend = only && others.length === 0 ? only : new UnionBackend(backends);
  logger.info({ backend: backend.name }, 'auditing');
  const waitsForWebhook = options.auditWebhookConfigFile && webhook.mode !== 'batch';
  const waitsForLog = options.auditLogPath && log.mode !== 'batch';
  const holdsResponses = waitsForWebhook ? 'whenAudited' : waitsForLog ? 'atEndOfTurn' : undefined;
  return { policy, backend, metrics, clock, holdsResponses };
}

async function loadPolicy(path: string | undefined, logger: Logger): Promise<PolicyRuleEvaluator | undefined> {
  if (!path) return undefined;
  return orOptionError('loading audit policy file: ', async () => {
    const { policy, strictErrors } = await loadPolicyFromFile(path);
    if (strictErrors.length > 0) {
      logger.warn({ path, errors: strictErrors }, 'Audit policy contains errors, falling back to lenient decoding');
    }
    return new PolicyRuleEvaluator(policy);
  });
}
