/**
 * Calls `next` at once with a known value, or with the value of a promise when it resolves. A known value costs no
 * promise.
 */
export function mapMaybeAsync<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
