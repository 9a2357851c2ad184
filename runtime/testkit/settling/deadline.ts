import { formatDuration, parseMilliseconds } from '../../machinery/go/duration.ts';

/** Milliseconds. @throws DurationError */
export const millisecondsOf = (duration: string | number): number =>
  typeof duration === 'number' ? duration : parseMilliseconds(duration);

/** As `1.5s`. */
export const textOf = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));

/** How long a test waits, in real time, whatever the clock of the server says: a manual one would never come to an end. */
export class Deadline {
  /** Why it is over, or would be, as `within 4s`. */
  reason: string;
  #isOver = false;
  #end: () => void = () => undefined;
  readonly #over: Promise<undefined>;
  readonly #timer: NodeJS.Timeout;
  readonly #closed: AbortSignal;
  readonly #onClosed = (): void => {
    this.reason = 'before the server was closed';
    this.#end();
  };

  /**
   * @param closed aborts when the server is closed
   * @throws DurationError
   */
  constructor(timeout: string | number, closed: AbortSignal) {
    const ms = millisecondsOf(timeout);
    this.reason = `within ${textOf(ms)}`;
    this.#over = new Promise((resolve) => {
      this.#end = () => {
        this.#isOver = true;
        resolve(undefined);
      };
    });
    this.#timer = setTimeout(this.#end, ms);
    this.#closed = closed;
    if (closed.aborted) this.#onClosed();
    else closed.addEventListener('abort', this.#onClosed, { once: true });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the promise resolves with, or undefined if the deadline comes first. */
  before<T>(promise: Promise<T>): Promise<T | undefined> {
    return Promise.race([promise, this.#over]);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#closed.removeEventListener('abort', this.#onClosed);
    this.#end();
  }
}
