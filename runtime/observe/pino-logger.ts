import { pino } from 'pino';
import type { Logger, LogLevel } from './logger.ts';

/** Lines of JSON on stderr, written at once: what is logged before a crash is there after it. */
export function pinoLogger(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}
