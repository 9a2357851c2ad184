import { messageOf } from '../../machinery/errors/message-of.ts';
import { StorageError } from '../errors.ts';

/**
 * Detects the loss of a data directory, which was moved, removed or taken by another process. A loss is final, because
 * the directory may have changed meanwhile.
 */
export class PlaceWatch {
  readonly #dir: string;
  readonly #find: () => string | undefined;
  readonly #timer: NodeJS.Timeout;
  /** Resolves when the directory is lost. */
  readonly lost: Promise<StorageError>;
  #resolveLost: (loss: StorageError) => void = () => undefined;
  #loss: StorageError | undefined;

  /**
   * @param find returns the reason for a loss, in two system calls; throws if it cannot tell
   * @param intervalMs milliseconds between checks of an idle store
   */
  constructor(dir: string, find: () => string | undefined, intervalMs: number) {
    this.#dir = dir;
    this.#find = find;
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
    this.#timer = setInterval(() => this.#look(), intervalMs);
    this.#timer.unref();
  }

  /** Throws `unavailable` if the directory is lost, or cannot be found now. */
  check(): void {
    const failure = this.failure();
    if (failure !== undefined) throw failure;
  }

  /** Returns the error that `check` throws. */
  failure(): StorageError | undefined {
    if (this.#loss !== undefined) return this.#loss;
    try {
      const why = this.#find();
      if (why !== undefined) this.#lose(why);
      return this.#loss;
    } catch (error) {
      return new StorageError('unavailable', `cannot find the store in ${this.#dir}: ${messageOf(error)}`);
    }
  }

  /** Checks a last time. */
  close(): void {
    this.#look();
    clearInterval(this.#timer);
  }

  #look(): void {
    this.failure();
  }

  #lose(why: string): void {
    clearInterval(this.#timer);
    this.#loss = new StorageError('unavailable', `the store in ${this.#dir} is lost: ${why}`);
    this.#resolveLost(this.#loss);
  }
}
