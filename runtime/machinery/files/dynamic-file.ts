import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock.ts';

/** Milliseconds between two checks of a file. (upstream: notices changes at once, and checks once a minute) */
const pollInterval = 10_000;

export interface DynamicFileOptions<T> {
  readonly path: string;
  /**
   * Called with the text of the file at opening and after each change.
   *
   * @throws if the text is invalid
   */
  readonly parse: (text: string) => T | Promise<T>;
  readonly clock: Clock;
  /** Called when the file cannot be read or parsed. The earlier value stays in force. */
  readonly onError: (error: Error) => void;
}

/** A file that may change while the server runs. (apiserver pkg/server/dynamiccertificates) */
export class DynamicFile<T> {
  readonly #options: DynamicFileOptions<T>;
  readonly #listeners: ((value: T) => void)[] = [];
  #text: string;
  #value: T;
  #cancel = (): void => {};
  #isClosed = false;

  private constructor(options: DynamicFileOptions<T>, text: string, value: T) {
    this.#options = options;
    this.#text = text;
    this.#value = value;
  }

  /** @throws Error if the file cannot be read or parsed */
  static async open<T>(options: DynamicFileOptions<T>): Promise<DynamicFile<T>> {
    const text = await readFile(options.path, 'utf8');
    const file = new DynamicFile(options, text, await options.parse(text));
    file.#schedule();
    return file;
  }

  /** The value of the newest valid text. */
  get value(): T {
    return this.#value;
  }

  /** Calls `listener` with every new value. */
  onChange(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the file again. Resolves when a change is in force. */
  async refresh(): Promise<void> {
    try {
      const text = await readFile(this.#options.path, 'utf8');
      if (text === this.#text || this.#isClosed) return;
      this.#text = text;
      this.#value = await this.#options.parse(text);
    } catch (error) {
      this.#options.onError(error as Error);
      return;
    }
    for (const listener of this.#listeners) listener(this.#value);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(pollInterval, async () => {
      await this.refresh();
      if (!this.#isClosed) this.#schedule();
    });
  }
}
