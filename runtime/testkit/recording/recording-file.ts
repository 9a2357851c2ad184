import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import { runAtEndOfTurn } from '../../machinery/event-loop/yield.ts';
import { lineOf, type RecordedEntry, type RecordingHeader } from './format.ts';

/** The number of pending characters that forces a write within a turn, so that a burst does not fill the memory. */
const maxPending = 2 ** 20;

/**
 * A file of entries, readable only by its user. The lines of a turn are written together before the next turn, so a
 * killed process loses at most the last turn.
 */
export class RecordingFile {
  readonly #fd: number;
  readonly #onError: (error: Error) => void;
  #pending = '';
  #sum = 0;
  #isOpen = true;

  /**
   * Replaces an existing file.
   *
   * @param onError called when a write fails. Nothing is written after it
   * @throws Error if the file cannot be opened
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

  /** Writes the remaining lines. */
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
