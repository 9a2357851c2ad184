import type { StoredValue } from '../mvcc/stored-value.ts';
import { CachedObject, type ObjectContext } from './cached-object.ts';

/** An object whose bytes could not be transformed from storage. */
export class UntransformableObject extends CachedObject {
  readonly transformError: string;

  constructor(stored: StoredValue, transformError: string, context: ObjectContext) {
    super(stored, { labels: {}, selectable: {}, changesWhenRead: undefined }, -1, context);
    this.transformError = transformError;
  }
}
