import { TimeSlice } from './yield.ts';

/**
 * Works on all items at once. Other work runs in between if the start of all items takes long.
 *
 * @returns the errors of failed items, after all have ended
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
