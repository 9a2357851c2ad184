import type { ServerResponse } from 'node:http';

/**
 * Withholds a response: the endpoint writes it to its end as always, and nothing is sent before `release`. It stands in for the
 * methods of the response that send, as middleware that compresses does.
 */
export class WithheldResponse {
  readonly #res: ServerResponse;
  /** What was asked of the response, in order. */
  readonly #calls: (() => void)[] = [];
  readonly #methods: Readonly<Record<string, unknown>>;

  /** @param onEnd called when the response is complete */
  constructor(res: ServerResponse, onEnd: () => void) {
    this.#res = res;
    let hasEnded = false;
    this.#methods = {
      writeHead: (code: number, ...rest: unknown[]) => {
        res.statusCode = code;
        this.#record('writeHead', [code, ...rest]);
        return res;
      },
      flushHeaders: () => this.#record('flushHeaders', []),
      write: (...args: unknown[]) => {
        this.#record('write', args);
        return true;
      },
      end: (...args: unknown[]) => {
        if (hasEnded) return res;
        hasEnded = true;
        this.#record('end', args);
        onEnd();
        return res;
      },
    };
    Object.assign(res, this.#methods);
    Object.defineProperty(res, 'headersSent', { configurable: true, get: () => this.#calls.length > 0 });
    Object.defineProperty(res, 'writableEnded', { configurable: true, get: () => hasEnded });
  }

  /** Sends what was withheld; what is written from now on is sent at once. */
  release(): void {
    const own = this.#res as unknown as Record<string, unknown>;
    for (const name of [...Object.keys(this.#methods), 'headersSent', 'writableEnded']) delete own[name];
    if (this.#isGone) return;
    for (const call of this.#calls) call();
  }

  /** The client has disconnected. */
  get #isGone(): boolean {
    const { stream } = this.#res as { stream?: { readonly destroyed: boolean } };
    return this.#res.destroyed || stream?.destroyed === true;
  }

  #record(name: string, args: readonly unknown[]): void {
    const res = this.#res as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    this.#calls.push(() => res[name](...args));
  }
}
