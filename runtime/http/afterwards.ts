import type { Next } from './context.ts';

/**
 * Runs `next` and calls `done` once it has ended, well or not: at once where nothing was waited for. Returns or throws
 * what `next` does.
 */
export function afterwards(next: Next, done: () => void): unknown {
  let running: unknown;
  try {
    running = next();
  } catch (error) {
    done();
    throw error;
  }
  if (running instanceof Promise) running.then(done, done);
  else done();
  return running;
}
