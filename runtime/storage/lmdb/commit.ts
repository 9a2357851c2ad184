import type { RootDatabase } from 'lmdb';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { StorageError } from '../errors.ts';

/** lmdb's result of a write. */
type Result = Promise<unknown>;

/** Messages for the codes of failed writes, from the system or from lmdb. */
const causes: Readonly<Record<number, string>> = {
  5: 'input/output error',
  27: 'the file may not become larger',
  28: 'no space left on device',
  30: 'read-only file system',
  122: 'disk quota exceeded',
  [-30792]: 'the data file has its largest size',
};

/** Makes the writes of a transaction, and passes each result to `track`. */
export type BatchedWrite = (track: (result: Result) => void) => void;

/** A commit failed and wrote nothing, for a reason that may go away. */
export class CommitError extends StorageError {
  constructor(dir: string, cause: string) {
    super('unavailable', `cannot write to the store in ${dir}: ${cause}`);
  }
}

/**
 * Commits the writes of `write` in one transaction, on LMDB's own thread. Throws CommitError.
 *
 * @param dir for messages
 * @param write tracks its results, because lmdb rejects some of them if the commit fails
 */
export async function commit(root: RootDatabase<Buffer, Buffer>, dir: string, write: BatchedWrite): Promise<void> {
  let last: Result | undefined;
  try {
    await root.batch(() =>
      write((result) => {
        if (result === last) return;
        last = result;
        result.then(undefined, () => undefined);
      }),
    );
  } catch (error) {
    throw new CommitError(dir, await causeOf(error));
  }
}

/** Returns the cause of an error, which lmdb puts into a promise. */
async function causeOf(error: unknown): Promise<string> {
  const { commitError, ...own } = error as Error & { commitError?: Promise<never>; code?: number };
  const cause: Error & { code?: number } =
    commitError === undefined
      ? { ...own, message: messageOf(error) }
      : await commitError.then(
          () => error as Error,
          (inner: Error) => inner,
        );
  // the message contains memory addresses
  return causes[cause.code ?? 0] ?? cause.message.split(': Attempting', 1).join();
}
