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
