import type { KubeObject } from '../../../machinery/object.ts';

/** Converts objects from one version to another. */
export interface Converter {
  /**
   * Returns the objects at `apiVersion`, in the same order. May change and return its arguments.
   *
   * @param objects none of them at `apiVersion`
   * @throws StatusError 500 if they cannot be converted
   */
  convert(objects: readonly KubeObject[], apiVersion: string): readonly KubeObject[] | Promise<readonly KubeObject[]>;
}

/** The converter of versions with the same schema. (pkg/apiserver/conversion/nop_converter.go) */
export const nopConverter: Converter = {
  convert(objects, apiVersion) {
    for (const object of objects) object.apiVersion = apiVersion;
    return objects;
  },
};
