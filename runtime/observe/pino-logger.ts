import { pino } from 'pino';
import type { Logger, LogLevel } from './logger.ts';

/** JSON lines on stderr, written synchronously so that lines before a crash are not lost. */
export function pinoLogger(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}
