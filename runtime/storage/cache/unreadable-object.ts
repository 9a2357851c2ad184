import type { StoredValue } from '../mvcc/stored-value.ts';
import { CachedObject, type ObjectContext } from './cached-object.ts';

/** The reasons why bytes are not an object; see KeyValue. */
export interface ReadErrors {
  readonly transformError?: string | undefined;
  readonly decodeError?: string | undefined;
}

/** An object whose bytes could not be transformed from storage or decoded. */
export class UnreadableObject extends CachedObject {
  readonly transformError: string | undefined;
  readonly decodeError: string | undefined;

  constructor(stored: StoredValue, { transformError, decodeError }: ReadErrors, context: ObjectContext) {
    super(stored, { labels: {}, selectable: {}, changesWhenRead: undefined }, -1, context);
    this.transformError = transformError;
    this.decodeError = decodeError;
  }
}
