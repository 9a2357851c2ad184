import type { AuditMetrics } from '../audit/audit-metrics.ts';
import { type Backend, IgnoreErrorsBackend, UnionBackend } from '../audit/backend.ts';
import { BufferedBackend } from '../audit/buffered.ts';
import { LogBackend, type LogTiming, logFormats } from '../audit/log/backend.ts';
import { type LogOutput, StreamOutput } from '../audit/log/output.ts';
import { RotatingFile } from '../audit/log/rotating-file.ts';
import { PluginErrors } from '../audit/plugin-errors.ts';
import { PolicyRuleEvaluator } from '../audit/policy/checker.ts';
import { loadPolicyFromFile } from '../audit/policy/reader.ts';
import { TruncateBackend } from '../audit/truncate.ts';
import { WebhookBackend } from '../audit/webhook.ts';
import { defaultRetryBackoff } from '../client/webhook/backoff.ts';
import { GenericWebhook } from '../client/webhook/generic-webhook.ts';
import { loadWebhookKubeconfig } from '../client/webhook/kubeconfig.ts';
import type { AuditFilterOptions } from '../filters/audit.ts';
import { beforeResponses } from '../http/response-batch.ts';
import type { Clock } from '../machinery/clock.ts';
import { messageOf } from '../machinery/errors/message-of.ts';
import type { Logger } from '../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';

export interface AuditConfig {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: AuditMetrics;
}

/** What a backend does with events before it writes or sends them, as the rows of the options say. */
interface AuditBackendOptions {
  readonly mode: 'batch' | 'blocking' | 'blocking-strict';
  readonly batchBufferSize: number;
  readonly batchMaxSize: number;
  readonly batchMaxWait: number;
  readonly batchThrottleEnable: boolean;
  readonly batchThrottleQPS: number;
  readonly batchThrottleBurst: number;
  readonly truncateEnabled: boolean;
  readonly truncateMaxBatchSize: number;
  readonly truncateMaxEventSize: number;
  readonly version: string;
}

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
const groupVersion = 'audit.k8s.io/v1';

const defaults = {
  batchBufferSize: 10_000,
  truncateEnabled: false,
  version: groupVersion,
  truncateMaxBatchSize: 10 * 1024 * 1024,
  truncateMaxEventSize: 100 * 1024,
};
const logDefaults: AuditBackendOptions = {
  ...defaults,
  mode: 'blocking',
  batchMaxSize: 1,
  batchMaxWait: 0,
  batchThrottleEnable: false,
  batchThrottleQPS: 0,
  batchThrottleBurst: 0,
};
const webhookDefaults: AuditBackendOptions = {
  ...defaults,
  mode: 'batch',
  batchMaxSize: 400,
  batchMaxWait: 30_000,
  batchThrottleEnable: true,
  batchThrottleQPS: 10,
  batchThrottleBurst: 15,
};

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
  try {
    const { policy, strictErrors } = await loadPolicyFromFile(path);
    if (strictErrors.length > 0) {
      logger.warn({ path, errors: strictErrors }, 'Audit policy contains errors, falling back to lenient decoding');
    }
    return new PolicyRuleEvaluator(policy);
  } catch (error) {
    throw new OptionError(`loading audit policy file: ${messageOf(error)}`);
  }
}

/** Returns the options of one backend without their prefix. */
function backendOptions(options: ServerOptions, prefix: 'auditLog' | 'auditWebhook', fallback: AuditBackendOptions): AuditBackendOptions {
  return {
    mode: options[`${prefix}Mode`] ?? fallback.mode,
    batchBufferSize: options[`${prefix}BatchBufferSize`] ?? fallback.batchBufferSize,
    batchMaxSize: options[`${prefix}BatchMaxSize`] ?? fallback.batchMaxSize,
    batchMaxWait: options[`${prefix}BatchMaxWait`] ?? fallback.batchMaxWait,
    batchThrottleEnable: options[`${prefix}BatchThrottleEnable`] ?? fallback.batchThrottleEnable,
    batchThrottleQPS: options[`${prefix}BatchThrottleQPS`] ?? fallback.batchThrottleQPS,
    batchThrottleBurst: options[`${prefix}BatchThrottleBurst`] ?? fallback.batchThrottleBurst,
    truncateEnabled: options[`${prefix}TruncateEnabled`] ?? fallback.truncateEnabled,
    truncateMaxBatchSize: options[`${prefix}TruncateMaxBatchSize`] ?? fallback.truncateMaxBatchSize,
    truncateMaxEventSize: options[`${prefix}TruncateMaxEventSize`] ?? fallback.truncateMaxEventSize,
    version: options[`${prefix}Version`] ?? fallback.version,
  };
}

function validateLog(options: ServerOptions, log: AuditBackendOptions): void {
  validateBackend('log', log);
  const { auditLogFormat: format = 'json', auditLogMaxAge = 0, auditLogMaxBackup = 0, auditLogMaxSize = 0 } = options;
  if (!logFormats.includes(format)) {
    throw new OptionError(`invalid audit log format ${format}, allowed formats are "${logFormats.join(',')}"`);
  }
  for (const [name, value] of Object.entries({ auditLogMaxAge, auditLogMaxBackup, auditLogMaxSize })) {
    const flag = name.toLowerCase().replace('auditlog', 'audit-log-');
    if (value < 0) throw new OptionError(`--${flag} ${value} can't be a negative number`);
  }
}

function validateBackend(plugin: string, options: AuditBackendOptions): void {
  const { mode, truncateMaxEventSize, truncateMaxBatchSize, version } = options;
  if (!modes.includes(mode)) {
    throw new OptionError(`invalid audit ${plugin} mode ${mode}, allowed modes are "${modes.join(',')}"`);
  }
  if (mode === 'batch') validateBatch(plugin, options);
  if (truncateMaxEventSize <= 0) {
    const what = `invalid audit truncate ${plugin} max event size ${truncateMaxEventSize}`;
    throw new OptionError(`${what}, must be a positive number`);
  }
  if (truncateMaxBatchSize < truncateMaxEventSize) {
    const what = `invalid audit truncate ${plugin} max batch size ${truncateMaxBatchSize}`;
    throw new OptionError(`${what}, must be greater than max event size (${truncateMaxEventSize})`);
  }
  if (version !== groupVersion) {
    throw new OptionError(`invalid group version, allowed versions are ["${groupVersion}"]`);
  }
}

function validateBatch(plugin: string, options: AuditBackendOptions): void {
  const { batchThrottleEnable } = options;
  const sizes: [name: string, value: number][] = [
    ['buffer size', options.batchBufferSize],
    ['max batch size', options.batchMaxSize],
  ];
  if (batchThrottleEnable) sizes.push(['throttle QPS', options.batchThrottleQPS]);
  if (batchThrottleEnable) sizes.push(['throttle burst', options.batchThrottleBurst]);
  for (const [name, value] of sizes) {
    if (value > 0) continue;
    throw new OptionError(`invalid audit batch ${plugin} ${name} ${value}, must be a positive number`);
  }
}

const logTimings: Readonly<Record<AuditBackendOptions['mode'], LogTiming>> = {
  batch: 'inBackground',
  blocking: 'beforeResponse',
  'blocking-strict': 'now',
};

function openLog(config: AuditConfig, options: AuditBackendOptions, errors: PluginErrors): Backend {
  const { auditLogFormat: format = 'json' } = config.options;
  const output = openLogOutput(config);
  const log = new LogBackend({ output, format, timing: logTimings[options.mode], errors, beforeResponses });
  // events that arrive during a write share the next write, so they need not wait for each other
  return withTruncation(withMode(log, options, { clock: config.clock, errors, asyncDelegate: true }), options, errors);
}

function openLogOutput({ options, clock, logger }: AuditConfig): LogOutput {
  const { auditLogPath: path = '-' } = options;
  if (path === '-') return new StreamOutput(process.stdout);
  try {
    return new RotatingFile({
      path,
      clock,
      maxSize: options.auditLogMaxSize ?? 0,
      maxAge: options.auditLogMaxAge ?? 0,
      maxBackups: options.auditLogMaxBackup ?? 0,
      compress: options.auditLogCompress ?? false,
      onCleanupError: (error) => logger.error({ err: error, path }, 'old audit logs could not be cleaned up'),
    });
  } catch (error) {
    throw new OptionError(`ensureLogFile: ${messageOf(error)}`);
  }
}

async function openWebhook({ options, clock }: AuditConfig, backendOptions: AuditBackendOptions, errors: PluginErrors): Promise<Backend> {
  const { auditWebhookConfigFile: path = '', auditWebhookInitialBackoff: initial = 10_000 } = options;
  const backoff = defaultRetryBackoff(initial);
  let webhook: GenericWebhook;
  try {
    webhook = new GenericWebhook({ config: await loadWebhookKubeconfig(path), backoff, clock });
  } catch (error) {
    throw new OptionError(`initializing audit webhook: ${messageOf(error)}`);
  }
  const backend = new WebhookBackend({ webhook, backoff, clock, errors });
  return withTruncation(withMode(backend, backendOptions, { clock, errors, asyncDelegate: true }), backendOptions, errors);
}

interface ModeContext {
  readonly clock: Clock;
  readonly errors: PluginErrors;
  readonly asyncDelegate: boolean;
}

function withMode(backend: Backend, options: AuditBackendOptions, context: ModeContext): Backend {
  if (options.mode === 'blocking-strict') return backend;
  if (options.mode === 'blocking') return new IgnoreErrorsBackend(backend);
  return new BufferedBackend(backend, {
    bufferSize: options.batchBufferSize,
    maxBatchSize: options.batchMaxSize,
    maxBatchWait: options.batchMaxWait,
    throttleEnable: options.batchThrottleEnable,
    throttleQPS: options.batchThrottleQPS,
    throttleBurst: options.batchThrottleBurst,
    ...context,
  });
}

function withTruncation(backend: Backend, options: AuditBackendOptions, errors: PluginErrors): Backend {
  if (!options.truncateEnabled) return backend;
  const { truncateMaxEventSize: maxEventSize, truncateMaxBatchSize: maxBatchSize } = options;
  return new TruncateBackend(backend, { maxEventSize, maxBatchSize }, errors);
}
