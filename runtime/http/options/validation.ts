import { type FieldError, notSupported } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import { isSelectorError } from '../../machinery/selectors/selector-error.ts';
import { badRequest, invalid } from '../../machinery/status.ts';
import { isParameterError } from '../parameters.ts';

/*
 * What is wrong with the options of verbs. Values that are not of their type are 400, values that are not allowed are
 * 422, as upstream. (apimachinery meta/v1/conversion.go and meta/v1/validation, meta/internalversion/validation)
 */

const metaGroup = 'meta.k8s.io';

/** Runs a reader of parameters; what cannot be read is a BadRequest. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isParameterError(error) || isSelectorError(error)) throw badRequest(error.message);
    throw error;
  }
}

/** @throws StatusError 422 where there are errors */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported(FieldPath.of('dryRun'), dryRun, ['All'])];
}
