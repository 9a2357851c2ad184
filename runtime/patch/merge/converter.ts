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
  /**
   * Returns undefined if the version is unknown.
   *
   * @throws ConversionError
   */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined;
}

/** An object cannot be converted to the version of a manager. */
export class ConversionError extends Error {
  readonly isConversionError = true;
}

export function isConversionError(error: unknown): error is ConversionError {
  return typeof error === 'object' && error !== null && (error as ConversionError).isConversionError === true;
}

/** Runs a conversion. Its errors name the purpose. */
export function convertFor<T>(purpose: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (!isConversionError(error)) throw error;
    throw new ConversionError(`${purpose}: ${error.message}`);
  }
}
