import type { KubeObject } from '../machinery/object.ts';
import type { Conversion } from '../machinery/resource.ts';

const unchanged = (object: KubeObject): KubeObject => object;

/** For the version that is stored. */
export const identity: Conversion = { toStorage: unchanged, fromStorage: unchanged };

/** Between versions whose schemas agree: only apiVersion changes. */
export function sameShape(apiVersion: string, storageApiVersion: string): Conversion {
  return {
    toStorage: (object) => ({ ...object, apiVersion: storageApiVersion }),
    fromStorage: (object) => ({ ...object, apiVersion }),
  };
}

/** Deletes the members that are undefined, in place. */
export function deleteUndefined<T extends object>(object: T): T {
  for (const [key, value] of Object.entries(object)) if (value === undefined) Reflect.deleteProperty(object, key);
  return object;
}
