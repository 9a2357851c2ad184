/** The type of an object whose members that may be undefined are absent instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns a copy without undefined members, for types whose optional members are absent instead:
 *
 *     defined({ name: 'a', uid: undefined })  ->  { name: 'a' }
 */
export function defined<T extends object>(object: T): Defined<T> {
  const copy = {} as T;
  for (const name of Object.keys(object) as (keyof T)[]) if (object[name] !== undefined) copy[name] = object[name];
  return copy as Defined<T>;
}

/** Sets a member, or deletes it if the value is undefined. */
export function setOrDelete<T extends object, K extends keyof T>(object: T, name: K, value: T[K] | undefined): void {
  if (value === undefined) Reflect.deleteProperty(object, name);
  else object[name] = value;
}
