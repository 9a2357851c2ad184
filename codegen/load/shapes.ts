import { isObject } from './json.ts';

/** The place where a value does not have its shape, and the problem there. */
export interface ShapeFault {
  readonly pointer: readonly string[];
  readonly message: string;
}

/** Returns all faults of a value. */
export type Shape = (value: unknown, pointer: readonly string[]) => readonly ShapeFault[];

export const isA =
  (what: string, holds: (value: unknown) => boolean): Shape =>
  (value, pointer) =>
    holds(value) ? [] : [{ pointer, message: `is not ${what}` }];

export const anything: Shape = () => [];
export const text = isA('a string', (value) => typeof value === 'string');
export const flag = isA('true or false', (value) => typeof value === 'boolean');
export const number = isA('a number', (value) => typeof value === 'number');
export const object = isA('an object', isObject);

export const oneOf = (...values: readonly string[]): Shape =>
  isA(`one of ${values.join(', ')}`, (value) => values.includes(value as string));

/** Accepts a value that has one of the shapes: the first one without a fault at the value's own place decides. */
export const either =
  (what: string, ...shapes: readonly Shape[]): Shape =>
  (value, pointer) => {
    const found = shapes.map((shape) => shape(value, pointer));
    const inside = found.find((faults) => faults.every((fault) => fault.pointer.length > pointer.length));
    return inside ?? [{ pointer, message: `is not ${what}` }];
  };

export const mapOf =
  (shape: Shape): Shape =>
  (value, pointer) =>
    isObject(value) ? Object.entries(value).flatMap(([key, member]) => shape(member, [...pointer, key])) : object(value, pointer);

export const listOf =
  (shape: Shape): Shape =>
  (value, pointer) =>
    Array.isArray(value) ? value.flatMap((each, index) => shape(each, [...pointer, `${index}`])) : [{ pointer, message: 'is not a list' }];

type Members = Readonly<Record<string, Shape>>;

/** Accepts an object whose members, if present, have these shapes. Other members are allowed. */
export const members =
  (shapes: Members): Shape =>
  (value, pointer) =>
    isObject(value)
      ? Object.entries(shapes).flatMap(([key, shape]) => (value[key] === undefined ? [] : shape(value[key], [...pointer, key])))
      : object(value, pointer);

/** Accepts an object with no other members than these. @param required the members that must be present */
export const exactly =
  (shapes: Members, ...required: readonly string[]): Shape =>
  (value, pointer) => {
    if (!isObject(value)) return object(value, pointer);
    const others = Object.keys(value).filter((key) => !Object.hasOwn(shapes, key));
    const message = `is unknown: there are ${Object.keys(shapes).join(', ')}`;
    return [
      ...others.map((key) => ({ pointer: [...pointer, key], message })),
      ...required.filter((key) => value[key] === undefined).map((key) => ({ pointer, message: `lacks ${key}` })),
      ...members(shapes)(value, pointer),
    ];
  };
