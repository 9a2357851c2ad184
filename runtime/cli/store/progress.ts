import type { CopyProgress } from '../../storage/backup/progress.ts';
import type { SnapshotRecord } from '../../storage/kv/snapshot.ts';

/** How often the line is rewritten on a terminal, and how often a line is written elsewhere, in milliseconds. */
const rewriteMs = 100;
const lineMs = 5000;

/** Shows on stderr how much was done: in one line on a terminal, elsewhere in a line every five seconds. */
export class Progress implements CopyProgress {
  readonly #what: string;
  readonly #output: NodeJS.WriteStream;
  #shown = performance.now();
  #records = 0;
  #bytes = 0;
  #isOpen = false;

  /** @param what what is being done, as `backup` */
  constructor(what: string, output = process.stderr) {
    this.#what = what;
    this.#output = output;
  }

  get records(): number {
    return this.#records;
  }

  /** The size of the values. */
  get bytes(): number {
    return this.#bytes;
  }

  add(records: readonly Pick<SnapshotRecord, 'value'>[]): void {
    this.#records += records.length;
    for (const { value } of records) this.#bytes += value.length;
    this.show(`${this.#records} records, ${(this.#bytes / 2 ** 20).toFixed(1)} MiB`);
  }

  /** Shows another state, unless one was shown just now. */
  show(state: string): void {
    const now = performance.now();
    if (now - this.#shown < (this.#output.isTTY ? rewriteMs : lineMs)) return;
    this.#shown = now;
    const line = `${this.#what}: ${state}`;
    this.#output.write(this.#output.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
    this.#isOpen = this.#output.isTTY;
  }

  /** Removes the line on a terminal. */
  end(): void {
    if (this.#isOpen) this.#output.write('\r\x1b[K');
    this.#isOpen = false;
  }
}

/** Runs with a progress line, which ends however the work ends. */
export async function withProgress<T>(what: string, run: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(what);
  try {
    return await run(progress);
  } finally {
    progress.end();
  }
}
