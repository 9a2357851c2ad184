import type { ApiMiddleware } from '../http/context.ts';
import { queryValue } from '../http/query-string.ts';
import type { StrictDecodingError } from '../http/request-state.ts';

/** The values of fieldValidation that drop unknown fields. */
const lenient: ReadonlySet<string> = new Set(['', 'Warn', 'Ignore']);

/** A group that refuses unknown fields in its objects. */
export interface StrictGroup {
  readonly name: string;
  /** The error for clients that did not ask for strict decoding. */
  readonly refusal: StrictDecodingError;
}

/**
 * Refuses unknown fields in the objects of a group, whatever the client asks for. A misspelt field would otherwise
 * count as absent.
 */
export const withStrictFields =
  ({ name, refusal }: StrictGroup): ApiMiddleware =>
  ({ state }, next) => {
    const isLenient = lenient.has(queryValue(state.query, 'fieldValidation') ?? '');
    if (state.requestInfo.group === name && isLenient) {
      state.query = new Map([...state.query, ['fieldValidation', ['Strict']]]);
      state.strictDecodingError = refusal;
    }
    return next();
  };
