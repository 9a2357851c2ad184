import type { ApiMiddleware } from '../http/context.ts';
import { queryValue } from '../http/query-string.ts';

/** Values of fieldValidation by which unknown fields are dropped. */
const lenient: ReadonlySet<string> = new Set(['', 'Warn', 'Ignore']);

/** Refuses unknown fields in the objects of a group, whatever the client asks for: a misspelt field would be one that is absent. */
export const withStrictFields =
  (group: string): ApiMiddleware =>
  ({ state }, next) => {
    const isLenient = lenient.has(queryValue(state.query, 'fieldValidation') ?? '');
    if (state.requestInfo.group === group && isLenient) {
      state.query = new Map([...state.query, ['fieldValidation', ['Strict']]]);
    }
    return next();
  };
