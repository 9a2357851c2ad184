import type { ObjectMeta } from './object.ts';

/**
 * An object from a client, pruned but not validated. Every member has its type, but any member may be absent, and
 * required lists and maps may be null. Every `T` is an `Unvalidated<T>`.
 */
export type Unvalidated<T> = T extends string
  ? T
  : T extends (infer Item)[]
    ? Unvalidated<Item>[]
    : T extends object
      ? string extends keyof T
        ? { [Key in keyof T]: Unvalidated<T[Key]> }
        : { [Key in keyof T]?: Key extends 'metadata' ? ObjectMeta : Unvalidated<T[Key]> | NullIfRequiredList<T, Key> }
      : T;

/** Optional lists and maps get no null: upstream's tags omit nearly all of them when empty. */
type NullIfRequiredList<T, Key extends keyof T> = T[Key] extends readonly unknown[]
  ? Record<never, never> extends Pick<T, Key>
    ? never
    : null
  : never;
