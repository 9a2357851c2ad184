import type { KubeObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';

/** An object at one version, with the schema of that version. (structured-merge-diff typed.TypedValue) */
export interface TypedValue {
  readonly object: KubeObject;
  readonly apiVersion: string;
  readonly schema: MergeSchema;
}

/** (merge.Converter) */
export interface Converter {
  /** Returns undefined if the version is unknown. */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined;
}
