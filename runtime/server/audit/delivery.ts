import { type Backend, IgnoreErrorsBackend } from '../../audit/backend.ts';
import { BufferedBackend } from '../../audit/buffered.ts';
import type { PluginErrors } from '../../audit/plugin-errors.ts';
import { TruncateBackend } from '../../audit/truncate.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { AuditBackendOptions } from './backend-options.ts';

interface ModeContext {
  readonly clock: Clock;
  readonly errors: PluginErrors;
  readonly asyncDelegate: boolean;
}

/** Wraps a backend so that requests wait for events, or do not, as the mode says. */
export function withMode(backend: Backend, options: AuditBackendOptions, context: ModeContext): Backend {
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

/** Wraps a backend so that large events and batches are split and truncated, if options ask for it. */
export function withTruncation(backend: Backend, options: AuditBackendOptions, errors: PluginErrors): Backend {
  if (!options.truncateEnabled) return backend;
  const { truncateMaxEventSize: maxEventSize, truncateMaxBatchSize: maxBatchSize } = options;
  return new TruncateBackend(backend, { maxEventSize, maxBatchSize }, errors);
}
