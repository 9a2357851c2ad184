import type { ServerResponse } from 'node:http';

/**
 * Withholds a response: the endpoint writes it to its end as always, and nothing is sent before `release`. It stands in for the
 * methods of the response that send, as middleware that compresses does.
 */
export class WithheldResponse {
  readonly #res: ServerResponse;
  /** What was asked of the response, in order. */
  readonly #calls: (() => void)[] = [];
  /** What stood in before, by name: another fault may withhold the same response. */
  readonly #before: ReadonlyMap<string, PropertyDescriptor | undefined>;

  /** @param onEnd called when the response is complete */
  constructor(res: ServerResponse, onEnd: () => void) {
    this.#res = res;
    let hasEnded = false;
    const methods = {
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
    const standIns: PropertyDescriptorMap = {
      ...Object.getOwnPropertyDescriptors(methods),
      headersSent: { get: () => this.#calls.length > 0 },
      writableEnded: { get: () => hasEnded },
    };
    const names = Object.keys(standIns);
    this.#before = new Map(names.map((name) => [name, Object.getOwnPropertyDescriptor(res, name)]));
    for (const name of names) Object.defineProperty(res, name, { ...standIns[name], configurable: true });
  }

  /** Sends what was withheld; what is written from now on is sent at once. */
  release(): void {
    for (const [name, before] of this.#before) {
      if (before === undefined) delete (this.#res as unknown as Record<string, unknown>)[name];
      else Object.defineProperty(this.#res, name, before);
    }
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
    this.#calls.push(() => res[name]?.(...args));
  }
}
