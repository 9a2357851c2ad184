import type { ApiMiddleware } from '../http/context.ts';
import { queryValue } from '../http/query-string.ts';
import type { StrictDecodingError } from '../http/request-state.ts';

/** Values of fieldValidation by which unknown fields are dropped. */
const lenient: ReadonlySet<string> = new Set(['', 'Warn', 'Ignore']);

/** A group whose objects have no unknown fields. */
export interface StrictGroup {
  readonly name: string;
  /** What is said to clients that did not ask for strict decoding. */
  readonly refusal: StrictDecodingError;
}

/** Refuses unknown fields in the objects of a group, whatever the client asks for: a misspelt field would be one that is absent. */
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
