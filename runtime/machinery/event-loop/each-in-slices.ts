import { TimeSlice } from './yield.ts';

/**
 * Works on all items at once, but lets others run whenever starting that takes long.
 *
 * @returns the errors of those that failed, after all have ended
 */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<unknown[]> {
  const slice = new TimeSlice();
  const errors: unknown[] = [];
  const running: Promise<unknown>[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.next();
    running.push(work(item).catch((error: unknown) => errors.push(error)));
  }
  await Promise.all(running);
  return errors;
}
