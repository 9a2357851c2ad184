import { Input } from './input.ts';
import type { Write } from './process.ts';
import type { ProcessorTime } from './processor-time.ts';

/** The most bytes in a pipe. (Linux) */
const capacity = 64 * 1024;

/** A process writes to a pipe that nobody reads. */
export class BrokenPipeError extends Error {}

/** The connection between two commands of a pipeline. */
export class Pipe {
  readonly #time: ProcessorTime;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isEnded = false;
  #isBroken = false;
  #wake: (() => void)[] = [];
  readonly input = new Input(this.#read());

  constructor(time: ProcessorTime) {
    this.#time = time;
  }

  readonly write: Write = async (data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    await this.#time.use();
    while (!this.#isBroken && this.#bytes >= capacity) await this.#changed();
    if (this.#isBroken) throw new BrokenPipeError();
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    this.#notify();
  };

  /** Notes that nothing more will be written. */
  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  /** Notes that nobody reads any more. */
  break(): void {
    this.#isBroken = true;
    this.#notify();
  }

  async *#read(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#bytes -= chunk.length;
        this.#notify();
        yield chunk;
      } else if (this.#isEnded) return;
      else await this.#changed();
    }
  }

  /** @throws KilledError */
  async #changed(): Promise<void> {
    let forget = (): void => undefined;
    await new Promise<void>((resolve) => {
      this.#wake.push(resolve);
      forget = this.#time.onKill(resolve);
    });
    forget();
    this.#time.check();
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
