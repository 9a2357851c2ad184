import type { Next } from './context.ts';

/**
 * Runs `next` and calls `done` with `subject` once it has ended, well or not: at once where nothing was waited for. Returns
 * or throws what `next` does.
 */
export function runFinally<T>(next: Next, done: (subject: T) => void, subject: T): unknown {
  let running: unknown;
  try {
    running = next();
  } catch (error) {
    done(subject);
    throw error;
  }
  if (!(running instanceof Promise)) {
    done(subject);
    return running;
  }
  const settle = (): void => done(subject);
  running.then(settle, settle);
  return running;
}
