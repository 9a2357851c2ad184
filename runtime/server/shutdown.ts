import type { RequestWaitGroup } from '../http/request-wait-group.ts';
import { systemClock } from '../machinery/clock.ts';
import { withoutSlices } from '../machinery/event-loop/yield.ts';
import { isServerClock } from '../machinery/server-clock.ts';
import { GracefulShutdown } from '../serving/graceful-shutdown.ts';
import type { CompletedConfig } from './config.ts';

/** Returns the shutdown of a server that begins to open. */
export function gracefulShutdown({ options, clock, logger }: CompletedConfig, waitGroup: RequestWaitGroup): GracefulShutdown {
  const shutdown = new GracefulShutdown({
    // a shutdown must not wait for a manual clock
    clock: isServerClock(clock) ? systemClock : clock,
    logger,
    waitGroup,
    shutdownDelay: options.shutdownDelay ?? 0,
    drainTimeout: options.drainTimeout ?? 10_000,
    sendRetryAfter: options.shutdownSendRetryAfter ?? false,
  });
  if (options.seed !== undefined) shutdown.addShutdownHook(withoutSlices());
  return shutdown;
}
