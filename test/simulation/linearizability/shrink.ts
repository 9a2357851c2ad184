import { linearize } from './linearize.ts';
import type { Model, Operation } from './operation.ts';

/**
 * Returns a minimal part of a history that cannot be explained. It removes only operations that were called later, or
 * that `isPassive` marks as without effect, so that it introduces no fault.
 */
export function shrink<State, Input, Output>(
  model: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
  isPassive: (operation: Operation<Input, Output>) => boolean,
): readonly Operation<Input, Output>[] {
  const fails = (part: readonly Operation<Input, Output>[]): boolean => !linearize(model, part).ok;
  let part = shortestPrefix(operations, fails);
  for (let size = Math.ceil(part.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < part.length; from += size) {
      const smaller = part.filter((operation, at) => at < from || at >= from + size || !isPassive(operation));
      if (smaller.length < part.length && fails(smaller)) part = smaller;
    }
  }
  return part;
}

/** Returns the history at the return of the first inexplicable operation. Unfinished operations lose their outputs. */
function shortestPrefix<Input, Output>(
  operations: readonly Operation<Input, Output>[],
  fails: (part: readonly Operation<Input, Output>[]) => boolean,
): readonly Operation<Input, Output>[] {
  const until = (time: number): Operation<Input, Output>[] =>
    operations
      .filter(({ call }) => call < time)
      .map((operation) =>
        operation.return <= time
          ? operation
          : {
              client: operation.client,
              input: operation.input,
              call: operation.call,
              return: Number.POSITIVE_INFINITY,
            },
      );
  const times = operations
    .map((operation) => operation.return)
    .filter(Number.isFinite)
    .sort((one, other) => one - other);
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fails(until(times[middle]))) high = middle;
    else low = middle + 1;
  }
  return times.length === 0 ? operations : until(times[low]);
}
