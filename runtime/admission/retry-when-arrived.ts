/** Thrown inside a computation that needs a value which has not arrived. */
class Pending {
  readonly isPending = true;
  readonly arrival: Promise<void>;

  constructor(arrival: Promise<void>) {
    this.arrival = arrival;
  }
}

const isPending = (error: unknown): error is Pending => (error as Pending | undefined)?.isPending === true;

/**
 * Runs a computation, and runs it again each time that a missing value has arrived. Synchronous if nothing is missing.
 *
 * @param compute must have no side effects
 */
export function retryWhenArrived<T>(compute: () => T): T | Promise<T> {
  try {
    return compute();
  } catch (error) {
    if (!isPending(error)) throw error;
    return error.arrival.then(() => retryWhenArrived(compute));
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Values that arrived asynchronously, by key. */
export class Arrivals<K, T> {
  readonly #outcomes = new Map<K, Outcome<T>>();

  /** Returns the value of `request`. If that is a promise, throws Pending until `retryWhenArrived` has waited for it. */
  get(key: K, request: () => T | Promise<T>): T {
    const outcome = this.#outcomes.get(key);
    if (outcome !== undefined) {
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    }
    const answer = request();
    if (!(answer instanceof Promise)) {
      this.#outcomes.set(key, { value: answer });
      return answer;
    }
    throw new Pending(
      answer.then(
        (value) => void this.#outcomes.set(key, { value }),
        (error: unknown) => void this.#outcomes.set(key, { error }),
      ),
    );
  }
}
