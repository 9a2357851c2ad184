export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Structured log lines. Errors go in as `err`. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** JSON lines on stderr. The library behind it is loaded only when there is something to log. */
export async function createLogger(level: LogLevel): Promise<Logger> {
  if (level === 'silent') return silentLogger;
  const { pinoLogger } = await import('./pino-logger.ts');
  return pinoLogger(level);
}
