import type { ObjectMeta } from './object.ts';

/**
 * An object that a client sent: pruned, so that each member has its type, but not yet validated, so that any member may
 * be absent, and required lists and maps may be null. Every `T` is an `Unvalidated<T>`.
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

/** Upstream's tags omit nearly all lists and maps that are optional. */
type NullIfRequiredList<T, Key extends keyof T> = T[Key] extends readonly unknown[]
  ? Record<never, never> extends Pick<T, Key>
    ? never
    : null
  : never;
