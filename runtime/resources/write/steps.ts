import { isStorageError } from '../../storage/errors.ts';
import type { WriteOutcome, WriteTarget } from '../rest.ts';
import type { Write } from './write.ts';

/** One step of a write. Returns a promise only if it must wait. */
export type Step<W> = (write: W) => void | Promise<void>;

/** Runs the steps of a write in order until it has a result. */
export async function walk<W extends Write<WriteTarget, unknown>>(write: W, steps: readonly Step<W>[]): Promise<void> {
  write.result = undefined;
  for (const step of steps) {
    const pending = step(write);
    if (pending !== undefined) await pending;
    if (write.result !== undefined) return;
  }
}

type ResultOf<W extends Write<WriteTarget, unknown>> = Exclude<W['result'], 'conflict' | undefined>;

/**
 * Runs steps like `walk`, for writes that may need several attempts. Ends the strategy's transaction with the outcome
 * of the attempt. Returns undefined after a conflict.
 */
export async function attempt<W extends Write<WriteTarget, unknown>>(
  write: W,
  steps: readonly Step<W>[],
): Promise<ResultOf<W> | undefined> {
  let outcome: WriteOutcome = 'not-written';
  try {
    await walk(write, steps);
    const { result } = write;
    if (result === undefined || result === 'conflict') return undefined;
    outcome = 'written';
    return result as ResultOf<W>;
  } catch (error) {
    if (mayBeWritten(error)) outcome = 'unknown';
    throw error;
  } finally {
    const { finish } = write;
    write.finish = undefined;
    if (finish !== undefined) await finish(outcome);
  }
}

/** Tells admission whether the write was stored, or may have been stored. */
export async function reportingOutcome<T>(write: Write<WriteTarget, unknown>, work: () => Promise<T>): Promise<T> {
  if (write.admission === undefined) return work();
  let stored = false;
  try {
    const result = await work();
    stored = true;
    return result;
  } catch (error) {
    stored = mayBeWritten(error);
    throw error;
  } finally {
    write.reportOutcome(stored);
  }
}

/** Reports whether a failed write may still have happened, or may happen later. */
export const mayBeWritten = (error: unknown): boolean => isStorageError(error) && error.code === 'unknown-outcome';
