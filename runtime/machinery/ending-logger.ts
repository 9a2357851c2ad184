import { type Logger, silentLogger } from './logger.ts';

/** A logger that falls silent when its server has failed, because later errors only follow from that. */
export class EndingLogger implements Logger {
  #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Ignores everything from now on. */
  end(): void {
    this.#logger = silentLogger;
  }

  debug(fields: object, message: string): void {
    this.#logger.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.#logger.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.#logger.warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.#logger.error(fields, message);
  }
}
