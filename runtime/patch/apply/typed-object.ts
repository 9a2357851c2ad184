import type { KubeObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';

/** An object at one version, with the schema of that version. */
export interface TypedObject {
  readonly object: KubeObject;
  readonly apiVersion: string;
  readonly schema: MergeSchema;
}

/** Turns objects into other versions. */
export interface Converter {
  /** Undefined: nobody knows the version any more. */
  convert(typed: TypedObject, apiVersion: string): TypedObject | undefined;
}
