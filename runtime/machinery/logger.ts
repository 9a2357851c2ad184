export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Structured log lines. An error is logged as the field `err`. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Returns a logger that writes JSON lines to stderr. The library is loaded only if the level is not silent. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  if (level === 'silent') return silentLogger;
  // a bundled CommonJS package has only a default export when it is imported dynamically
  const { default: pino } = await import('pino');
  // synchronous, so that the lines before a crash are not lost
  const stderr = pino.destination({ fd: 2, sync: true });
  const logger: Logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr);
  return logger;
}
