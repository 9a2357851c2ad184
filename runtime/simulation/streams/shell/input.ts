import type { ProcessorTime } from './processor-time.ts';

const lineFeed = 0x0a;

/** The standard input of processes. Processes that share it read one after the other. */
export class Input {
  readonly #source: AsyncIterator<Buffer>;
  #pending: Buffer = Buffer.alloc(0);
  /** Whether all of the input has been read. */
  hasEnded = false;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  static empty(): Input {
    return Input.of(Buffer.alloc(0));
  }

  static of(...chunks: readonly Buffer[]): Input {
    return new Input(
      (async function* () {
        yield* chunks;
      })(),
    );
  }

  /** Yields what is left. A reader that stops early leaves the rest to the next one. */
  async *chunks(time: ProcessorTime): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#pending.length > 0) {
        const chunk = this.#pending;
        this.#pending = Buffer.alloc(0);
        yield chunk;
      }
      if (!(await this.#more(time))) return;
    }
  }

  /**
   * Reads one line, without its end.
   *
   * @param limit the most bytes of a line
   * @returns undefined at the end of the input
   */
  async line(time: ProcessorTime, limit: number): Promise<{ readonly text: string; readonly isComplete: boolean } | undefined> {
    for (let from = 0; ; ) {
      const end = this.#pending.indexOf(lineFeed, from);
      if (end >= 0 || this.#pending.length > limit) {
        const length = end >= 0 ? end : limit;
        const text = this.#pending.toString('utf8', 0, length);
        this.#pending = this.#pending.subarray(end >= 0 ? end + 1 : limit);
        return { text, isComplete: end >= 0 };
      }
      from = this.#pending.length;
      if (await this.#more(time)) continue;
      if (this.#pending.length === 0) return undefined;
      const text = this.#pending.toString();
      this.#pending = Buffer.alloc(0);
      return { text, isComplete: false };
    }
  }

  async #more(time: ProcessorTime): Promise<boolean> {
    if (this.hasEnded) return false;
    let forget = (): void => undefined;
    const killed = new Promise<undefined>((resolve) => {
      forget = time.onKill(() => resolve(undefined));
    });
    const next = await Promise.race([this.#source.next(), killed]).finally(() => forget());
    time.check();
    await time.use();
    if (next === undefined || next.done) {
      this.hasEnded = true;
      return false;
    }
    this.#pending = this.#pending.length === 0 ? next.value : Buffer.concat([this.#pending, next.value]);
    return true;
  }
}
