import { formatDuration, parseMilliseconds } from '../../machinery/go/duration.ts';

/** Returns milliseconds. @throws DurationError */
export const millisecondsOf = (duration: string | number): number =>
  typeof duration === 'number' ? duration : parseMilliseconds(duration);

/** `1.5s` */
export const textOf = (milliseconds: number): string => formatDuration(BigInt(Math.round(milliseconds * 1e6)));

/** The deadline of a waiting test, in real time: a manual clock might never reach it. */
export class Deadline {
  /** The reason of the end, past or future: `within 4s`. */
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

  /** Returns the promise's value, or undefined if the deadline comes first. */
  before<T>(promise: Promise<T>): Promise<T | undefined> {
    return Promise.race([promise, this.#over]);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#closed.removeEventListener('abort', this.#onClosed);
    this.#end();
  }
}
