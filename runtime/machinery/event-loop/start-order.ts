/** When each of several things starts. Resolves with what `start` does, once it has started. */
export type StartOrder = <T>(start: () => T | Promise<T>) => Promise<T>;

export const atOnce: StartOrder = async (start) => start();

/** Each starts when the one before has started, or has failed to, and `settle` has resolved. */
export function oneByOne(settle: () => Promise<void>): StartOrder {
  let before: Promise<unknown> = Promise.resolve();
  return (start) => {
    const started = before.then(settle).then(start);
    before = started.catch(() => undefined);
    return started;
  };
}
