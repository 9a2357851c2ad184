import { type Logger, silentLogger } from './logger.ts';

/** A log until its server has failed: what fails because of that is no news. */
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
