import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest, invalid } from '../../machinery/errors/status.ts';
import { isSelectorError } from '../../machinery/selectors/selector-error.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { isParameterError } from '../parameters.ts';

/*
 * The errors in the options of verbs. As upstream, a value that is not of its type is a 400, and a value that is not allowed
 * is a 422. (apimachinery meta/v1/conversion.go and meta/v1/validation, meta/internalversion/validation)
 */

const metaGroup = 'meta.k8s.io';

/** Runs `decode`. @throws StatusError 400 if a parameter is not of its type */
export function decodeParameters<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (isParameterError(error) || isSelectorError(error) || isDecodeError(error)) throw badRequest(error.message);
    throw error;
  }
}

/** @throws StatusError 422 with the errors, unless there are none */
export function throwIfInvalid(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: metaGroup, kind }, '', errors);
}
