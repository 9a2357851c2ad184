import type { CopyProgress } from '../../storage/backup/progress.ts';
import type { SnapshotRecord } from '../../storage/kv/snapshot.ts';

/** Milliseconds between updates of the line on a terminal, and between lines elsewhere. */
const rewriteMs = 100;
const lineMs = 5000;

/** Shows progress on stderr: in one line on a terminal, in a line every five seconds elsewhere. */
export class Progress implements CopyProgress {
  readonly #what: string;
  readonly #output: NodeJS.WriteStream;
  #shown = performance.now();
  #records = 0;
  #bytes = 0;
  #isOpen = false;

  /** @param what the name of the work: `backup` */
  constructor(what: string, output = process.stderr) {
    this.#what = what;
    this.#output = output;
  }

  get records(): number {
    return this.#records;
  }

  /** The bytes of the values. */
  get bytes(): number {
    return this.#bytes;
  }

  add(records: readonly Pick<SnapshotRecord, 'value'>[]): void {
    this.#records += records.length;
    for (const { value } of records) this.#bytes += value.length;
    this.show(`${this.#records} records, ${(this.#bytes / 2 ** 20).toFixed(1)} MiB`);
  }

  /** Shows a new state, unless one was shown very recently. */
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

/** Runs work with a progress line, which is removed even if the work fails. */
export async function withProgress<T>(what: string, run: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(what);
  try {
    return await run(progress);
  } finally {
    progress.end();
  }
}
