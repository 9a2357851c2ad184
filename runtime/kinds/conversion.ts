import type { KubeObject } from '../machinery/object.ts';
import type { Conversion } from '../machinery/resource.ts';

const unchanged = (object: KubeObject): KubeObject => object;

/** The conversion at the storage version. */
export const identity: Conversion = { toStorage: unchanged, fromStorage: unchanged };

/** Returns the conversion between versions with equal schemas: only apiVersion changes. */
export function sameShape(apiVersion: string, storageApiVersion: string): Conversion {
  return {
    toStorage: (object) => ({ ...object, apiVersion: storageApiVersion }),
    fromStorage: (object) => ({ ...object, apiVersion }),
  };
}
