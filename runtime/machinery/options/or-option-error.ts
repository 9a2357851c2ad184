import { messageOf } from '../errors/message-of.ts';
import { OptionError } from './option-error.ts';

/**
 * Returns the result of `work`, which may be a promise. Its error becomes an OptionError with the prefix; an OptionError
 * stays unchanged.
 *
 *     orOptionError('--record: ', () => new Recorder(path))
 */
export function orOptionError<T>(prefix: string, work: () => T): T {
  const fail = (error: unknown): never => {
    throw error instanceof OptionError ? error : new OptionError(`${prefix}${messageOf(error)}`);
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(fail) as T) : result;
  } catch (error) {
    return fail(error);
  }
}
