/** Decides when each of several things starts. Resolves with the result of `start`. */
export type StartOrder = <T>(start: () => T | Promise<T>) => Promise<T>;

export const atOnce: StartOrder = async (start) => start();

/**
 * Starts one thing after the other. Each start waits until the previous one has resolved or failed, and then until
 * `settle` has resolved.
 */
export function oneByOne(settle: () => Promise<void>): StartOrder {
  let before: Promise<unknown> = Promise.resolve();
  return (start) => {
    const started = before.then(settle).then(start);
    before = started.catch(() => undefined);
    return started;
  };
}
