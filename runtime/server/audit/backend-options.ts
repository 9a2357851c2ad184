import { logFormats } from '../../audit/log/backend.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';

/** The options of one backend, without their prefix. */
export interface AuditBackendOptions {
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
export const logDefaults: AuditBackendOptions = {
  ...defaults,
  mode: 'blocking',
  batchMaxSize: 1,
  batchMaxWait: 0,
  batchThrottleEnable: false,
  batchThrottleQPS: 0,
  batchThrottleBurst: 0,
};
export const webhookDefaults: AuditBackendOptions = {
  ...defaults,
  mode: 'batch',
  batchMaxSize: 400,
  batchMaxWait: 30_000,
  batchThrottleEnable: true,
  batchThrottleQPS: 10,
  batchThrottleBurst: 15,
};

/** Returns the options of one backend without their prefix. */
export function backendOptions(
  options: ServerOptions,
  prefix: 'auditLog' | 'auditWebhook',
  fallback: AuditBackendOptions,
): AuditBackendOptions {
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

export function validateLog(options: ServerOptions, log: AuditBackendOptions): void {
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

export function validateBackend(plugin: string, options: AuditBackendOptions): void {
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
