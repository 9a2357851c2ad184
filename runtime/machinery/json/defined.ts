/** The type of an object whose members that may be undefined are absent instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns a copy without undefined members, for API types, whose optional members are absent instead:
 *
 *     defined({ name: 'a', uid: undefined })  ->  { name: 'a' }
 */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Sets a member, or deletes it if the value is undefined. */
export function setOrDelete<T extends object, K extends keyof T>(object: T, name: K, value: T[K] | undefined): void {
  if (value === undefined) Reflect.deleteProperty(object, name);
  else object[name] = value;
}
