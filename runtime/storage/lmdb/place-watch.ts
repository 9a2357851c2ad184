import { messageOf } from '../../machinery/errors/message-of.ts';
import { StorageError } from '../errors.ts';

/**
 * Notices when a data directory is lost: it was moved or removed, or another process took it. That is final, since nobody
 * knows what happened to it meanwhile.
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
   * @param find says why the directory is lost, in two calls of the system; throws if nobody can tell
   * @param intervalMs how often an idle store looks where it is
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

  /** What `check` throws. */
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

  /** Looks a last time. */
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
