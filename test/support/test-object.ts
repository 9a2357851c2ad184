import type { KubeObject } from '../../runtime/machinery/object.ts';

/** An object of any kind with untyped fields. */
export interface TestObject extends KubeObject {
  [field: string]: TestValue;
}

/** A value inside an object. */
// biome-ignore lint/suspicious/noExplicitAny: values of all fields
export type TestValue = any;
