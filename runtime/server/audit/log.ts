import type { Backend } from '../../audit/backend.ts';
import { LogBackend, type LogTiming } from '../../audit/log/backend.ts';
import { type LogOutput, StreamOutput } from '../../audit/log/output.ts';
import { RotatingFile } from '../../audit/log/rotating-file.ts';
import type { PluginErrors } from '../../audit/plugin-errors.ts';
import { beforeResponses } from '../../http/response-batch.ts';
import { orOptionError } from '../../machinery/options/or-option-error.ts';
import type { AuditConfig } from './audit-config.ts';
import type { AuditBackendOptions } from './backend-options.ts';
import { withMode, withTruncation } from './delivery.ts';

const logTimings: Readonly<Record<AuditBackendOptions['mode'], LogTiming>> = {
  batch: 'inBackground',
  blocking: 'beforeResponse',
  'blocking-strict': 'now',
};

/** @throws OptionError if the file cannot be opened */
export function openLog(config: AuditConfig, options: AuditBackendOptions, errors: PluginErrors): Backend {
  const { auditLogFormat: format = 'json' } = config.options;
  const output = openLogOutput(config);
  const log = new LogBackend({ output, format, timing: logTimings[options.mode], errors, beforeResponses });
  // events that arrive during a write share the next write, so they need not wait for each other
  return withTruncation(withMode(log, options, { clock: config.clock, errors, asyncDelegate: true }), options, errors);
}

function openLogOutput({ options, clock, logger }: AuditConfig): LogOutput {
  const { auditLogPath: path = '-' } = options;
  if (path === '-') return new StreamOutput(process.stdout);
  const open = (): RotatingFile =>
    new RotatingFile({
      path,
      clock,
      maxSize: options.auditLogMaxSize ?? 0,
      maxAge: options.auditLogMaxAge ?? 0,
      maxBackups: options.auditLogMaxBackup ?? 0,
      compress: options.auditLogCompress ?? false,
      onCleanupError: (error) => logger.error({ err: error, path }, 'old audit logs could not be cleaned up'),
    });
  return orOptionError('ensureLogFile: ', open);
}
