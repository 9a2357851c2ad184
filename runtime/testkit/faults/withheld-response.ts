import type { ServerResponse } from 'node:http';

/**
 * Withholds a response: the endpoint writes it completely, but nothing is sent before `release`. It replaces the
 * sending methods of the response, as compression middleware does.
 */
export class WithheldResponse {
  readonly #res: ServerResponse;
  /** The deferred calls, in order. */
  readonly #calls: (() => void)[] = [];
  /** The replaced methods by name, which may belong to another fault that withholds the response. */
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

  /** Sends the withheld part. Later writes are sent at once. */
  release(): void {
    for (const [name, before] of this.#before) {
      if (before === undefined) Reflect.deleteProperty(this.#res, name);
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
    this.#calls.push(() => Reflect.apply(Reflect.get(this.#res, name), this.#res, args));
  }
}
