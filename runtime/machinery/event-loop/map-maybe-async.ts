/** Passes a value on at once, or when its promise has it: what is known already costs no promise. */
export function mapMaybeAsync<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
