import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { runAtEndOfTurn } from '../../machinery/event-loop/yield.ts';
import { lineOf, type RecordedEntry, type RecordingHeader } from './format.ts';

/** So many characters are written before the turn ends, so that a burst does not fill the memory. */
const maxPending = 2 ** 20;

/**
 * A file of entries, which only its user can read. The lines of a turn are written together and before the next turn, so a
 * process that is killed leaves all turns but the last.
 */
export class RecordingFile {
  readonly #fd: number;
  readonly #onError: (error: Error) => void;
  #pending = '';
  #sum = 0;
  #isOpen = true;

  /**
   * Replaces what is there.
   *
   * @param onError called when it cannot be written, after which nothing is
   * @throws Error if it cannot be opened
   */
  constructor(path: string, onError: (error: Error) => void) {
    this.#fd = openSync(path, 'w', 0o600);
    fchmodSync(this.#fd, 0o600);
    this.#onError = onError;
  }

  add(entry: RecordingHeader | RecordedEntry): void {
    if (!this.#isOpen) return;
    const { text, sum } = lineOf(entry, this.#sum);
    this.#sum = sum;
    if (this.#pending === '') runAtEndOfTurn(() => this.#flush());
    this.#pending += text;
    if (this.#pending.length > maxPending) this.#flush();
  }

  /** Writes what is left. */
  close(): void {
    this.#flush();
    this.#end();
  }

  #flush(): void {
    if (!this.#isOpen || this.#pending === '') return;
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#end();
      this.#onError(error as Error);
    }
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }
}
