import type { Float64 } from './json/float64.ts';

/** Any JSON value. An int64 beyond 2^53 is always a `bigint`; a whole float that a client sent may be a Float64. */
export type Json = null | boolean | number | bigint | string | Float64 | Json[] | { [key: string]: Json };

/** A JSON object. It is a plain object, in which keys such as `__proto__` are own properties. */
export type JsonObject = { [key: string]: Json };

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** metav1.ObjectMeta in its JSON shape. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** The members that every API object has, in its JSON shape. The generated type of a kind has the other fields. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/**
 * Returns all fields of an object of an API type, for code that serves any kind. The result is the object itself: API
 * types have JSON's shape, which TypeScript does not see of an interface. (Unstructured.UnstructuredContent)
 */
export function unstructuredContent(object: object): JsonObject {
  return object as unknown as JsonObject;
}

/**
 * Returns the value itself as an object of an API type. The caller has checked it, or decoded it with the type's schema.
 * (FromUnstructured)
 */
export function fromUnstructured<T extends object = KubeObject>(value: Json): T {
  return value as unknown as T;
}
