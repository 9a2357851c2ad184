import { openingOrder } from './order.ts';
import type { Part } from './part.ts';

/** Values of parts that are already open, or taken from the origin of a fork. */
export type PartValues = ReadonlyMap<Part<unknown>, unknown>;

export interface AssemblyOptions {
  readonly parts: readonly Part<unknown>[];
  /** The values of inputs. */
  readonly inputs: PartValues;
  /** The values that a fork takes from its origin. Absent if the server is not a fork. */
  readonly taken?: PartValues | undefined;
  /** Called with the error of a part that withdraws or closes. The other parts go on. */
  report(error: unknown): void;
}

/** The open parts of one server. */
export class Assembly {
  readonly #options: AssemblyOptions;
  readonly #order: readonly Part<unknown>[];
  readonly #opened: Map<Part<unknown>, unknown>;

  /** @throws Error for parts that need each other, and for a need that is not on the list */
  constructor(options: AssemblyOptions) {
    const { parts, inputs } = options;
    this.#options = options;
    this.#order = openingOrder([...inputs.keys(), ...parts]);
    this.#opened = new Map(inputs);
  }

  /** Opens the parts one after the other. After a failure, `close` closes those that are open. */
  async open(): Promise<void> {
    const { taken } = this.#options;
    const find = <T>(part: Part<T>): T | undefined => this.#opened.get(part) as T | undefined;
    for (const part of this.#order) {
      if (this.#opened.has(part)) continue;
      const isTaken = part.fork !== undefined && taken?.has(part) === true;
      const opening = isTaken ? part.fork?.open(taken.get(part) as never, find) : part.open(find);
      this.#opened.set(part, opening instanceof Promise ? await opening : opening);
    }
  }

  /** Returns the value of an open part; undefined for a part that is not on the list. */
  find<T>(part: Part<T>): T | undefined {
    return this.#opened.get(part) as T | undefined;
  }

  /**
   * Returns the value of an open part.
   *
   * @throws Error if it is not open
   */
  get<T>(part: Part<T>): T {
    if (this.#opened.has(part)) return this.#opened.get(part) as T;
    throw new Error(`part "${part.name}" is not open`);
  }

  /** Returns the values that a fork takes from each part, in this turn of the event loop. */
  take(moment: unknown): PartValues {
    const taken = this.#order.flatMap((part) => {
      const value = part.fork?.take(this.#opened.get(part), moment as never);
      return value === undefined ? [] : [[part, value] as const];
    });
    return new Map(taken);
  }

  /** Withdraws all parts together. */
  async withdraw(): Promise<void> {
    await Promise.all([...this.#opened].map(([part, opened]) => this.#reported(() => part.withdraw?.(opened))));
  }

  /** Closes the open parts, the last one first. */
  async close(): Promise<void> {
    for (const [part, opened] of [...this.#opened].reverse()) await this.#reported(() => part.close?.(opened));
  }

  async #reported(run: () => Promise<void> | void): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#options.report(error);
    }
  }
}
