import type { Next } from './context.ts';

/**
 * Runs `next`, then calls `cleanup(argument)` after success and failure. Returns or throws the result of `next`. If
 * `next` returns no promise, cleanup runs at once. The argument is separate so that callers need no closure.
 */
export function runFinally<T>(next: Next, cleanup: (argument: T) => void, argument: T): unknown {
  let running: unknown;
  try {
    running = next();
  } catch (error) {
    cleanup(argument);
    throw error;
  }
  if (!(running instanceof Promise)) {
    cleanup(argument);
    return running;
  }
  const settle = (): void => cleanup(argument);
  running.then(settle, settle);
  return running;
}
